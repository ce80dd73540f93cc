/** Each state of the React example in Chromium: what the user sees, with the keyboard, and what axe finds, light and dark. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colorRules, runAxe } from '../../../test/bed/axe.ts'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openShop, type Shop } from './shop.ts'
import { becomes } from './wait.ts'

const example = fileURLToPath(new URL('../../example/react', import.meta.url))

let shop: Shop
let browser: Browser
beforeAll(async () => {
  shop = await openShop(() => 'unused', {
    html: join(example, 'page.html'),
    entry: join(example, 'scripted-main.tsx'),
    scriptPath: '/main.js',
  })
  browser = await chromium.launch({ executablePath: chromiumProgram, args: [...chromiumFlags] })
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

type Colors = 'light' | 'dark'

/** Opens the page; `fail`: what fails from the start. */
async function open(
  query: Readonly<Record<string, string>> = {},
  colorScheme: Colors = 'light',
): Promise<Page> {
  const context = await browser.newContext({
    ...{ colorScheme, ignoreHTTPSErrors: true, viewport: { width: 640, height: 420 } },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  await page.goto(`https://localhost:${shop.port}/?${new URLSearchParams(query)}`)
  return page
}

const status = (page: Page) => () =>
  page.evaluate(`document.querySelector('[data-cardwire]')?.getAttribute('data-cardwire')`)
const part = (page: Page, name: string) => page.locator(`[data-cardwire-part="${name}"]`)
const focused = (page: Page) => () =>
  page.evaluate(
    `document.activeElement?.getAttribute('data-cardwire-part') ?? document.activeElement?.getAttribute('data-cardwire')`,
  )

/** Each state, how the page gets there, and what it says. */
const states: readonly {
  readonly status: string
  readonly fail?: string
  readonly act?: (page: Page) => Promise<unknown>
  readonly title: string
  readonly text: string
  readonly action?: string
}[] = [
  {
    status: 'permission-needed',
    fail: 'permission-needed',
    title: 'Allow access to Cardwire',
    text: 'Your browser will ask for your permission. Choose Allow.',
    action: 'Connect',
  },
  {
    status: 'permission-pending',
    fail: 'permission-needed',
    async act(page) {
      await page.evaluate('connector.recover(), connector.fail("permission-pending")')
      await part(page, 'action').click()
    },
    title: 'Allow access to Cardwire',
    text: 'Look for your browser’s prompt, and choose Allow.',
  },
  {
    status: 'not-running',
    fail: 'not-running',
    title: 'Cardwire isn’t running',
    text: 'Cardwire isn’t responding. Make sure it’s installed and running, then restart your browser.',
    action: 'Try again',
  },
  {
    status: 'not-responding',
    fail: 'not-responding',
    title: 'Cardwire isn’t responding',
    text: 'Cardwire is running but isn’t responding. Restart your computer. If that doesn’t help, contact your administrator.',
    action: 'Try again',
  },
  {
    status: 'token-unavailable',
    fail: 'token',
    title: 'This site is unavailable',
    text: 'This site is unavailable right now. Wait a moment, then try again.',
    action: 'Try again',
  },
  {
    status: 'consent-required',
    title: 'Allow this site to use your card reader?',
    text: 'Copy this code. Cardwire finds it on your clipboard and allows this site.',
    action: 'Copy code and allow',
  },
  {
    status: 'consent-pending',
    async act(page) {
      await becomes(status(page), 'consent-required')
      await page.evaluate('connector.fail("permission-pending", { operation: "requestConsent" })')
      await part(page, 'action').click()
    },
    title: 'Allow this site to use your card reader?',
    text: 'Cardwire is checking the code…',
  },
  {
    status: 'failed',
    fail: 'origin-refused',
    title: 'Can’t use your card reader',
    text: 'This site isn’t allowed to use Cardwire. Contact the site’s support.',
    action: 'Try again',
  },
]

describe.each(['light', 'dark'] as const)('%s', (colors) => {
  test.each(states)('$status says what to do', async (state) => {
    proves('react-states')
    const page = await open(state.fail ? { fail: state.fail } : {}, colors)
    await state.act?.(page)
    await becomes(status(page), state.status)
    expect(await part(page, 'title').textContent()).toBe(state.title)
    expect(await part(page, 'text').textContent()).toBe(state.text)
    const labels = await part(page, 'action').allTextContents()
    expect(labels).toEqual(state.action ? [state.action] : [])
    await look(page, colors)
    await page.context().close()
  })

  test('ready shows the readers, and then that they may be out of date', async () => {
    proves('react-states', 'stale-readers')
    const page = await open({}, colors)
    await part(page, 'action').click()
    await becomes(status(page), 'ready')
    await becomes(() => page.locator('ul').textContent(), 'Desk: no card')
    await look(page, colors)
    await page.evaluate('connector.stop()')
    await becomes(
      () => page.locator('[data-cardwire-stale] [data-cardwire-part="text"]').textContent(),
      'Cardwire isn’t responding. Your card readers may have changed.',
    )
    await look(page, colors)
    await becomes(status(page), 'not-running')
    await page.evaluate('connector.start()')
    await becomes(status(page), 'ready')
    expect(await page.locator('[data-cardwire-stale]').count()).toBe(0)
    await page.context().close()
  })

  test('a component that throws becomes a sentence with a button', async () => {
    proves('react-states')
    const page = await open({}, colors)
    await part(page, 'action').click()
    await becomes(status(page), 'ready')
    await page.evaluate('script.defect = true, connector.addReader({ id: "b", name: "Other" })')
    await becomes(() => page.locator('[role=alert] h2').textContent(), 'Can’t use your card reader')
    await look(page, colors)
    await page.evaluate('script.defect = false')
    await page.locator('[role=alert] button').click()
    await becomes(() => page.locator('ul li').count(), 2)
    await page.context().close()
  })
})

/** Examines the page; in the dark only its colors differ. */
async function look(page: Page, colors: Colors): Promise<void> {
  const rules = colors === 'dark' ? colorRules : undefined
  expect((await runAxe(page, rules)).violations).toEqual([])
}

describe('the keyboard', () => {
  test('is enough for the way to the readers, and the focus is never lost', async () => {
    proves('react-states')
    const page = await open({ fail: 'not-running' })
    await becomes(status(page), 'not-running')
    expect(await focused(page)()).toBe(null)
    await page.keyboard.press('Tab')
    expect(await focused(page)()).toBe('action')
    await page.keyboard.press('Enter')
    await becomes(focused(page), 'title')
    await page.evaluate('connector.recover()')
    await becomes(status(page), 'consent-required')
    await becomes(focused(page), 'title')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await becomes(focused(page), 'ready')
    await page.context().close()
  })

  test('the focus stays with users who are elsewhere in the page', async () => {
    proves('react-states')
    const page = await open({ fail: 'not-running' })
    await becomes(status(page), 'not-running')
    await page.evaluate(`{
      const field = document.createElement('input')
      field.setAttribute('data-cardwire-part', 'elsewhere')
      document.body.prepend(field)
      field.focus()
    }`)
    await page.evaluate('connector.recover()')
    await becomes(status(page), 'consent-required')
    expect(await focused(page)()).toBe('elsewhere')
    await page.context().close()
  })
})

test('a code that the browser does not let the page copy is copied by the user', async () => {
  proves('react-states')
  const page = await open()
  await becomes(status(page), 'consent-required')
  await page.evaluate(
    'navigator.clipboard.writeText = () => Promise.reject(new DOMException("denied"))',
  )
  const code = await part(page, 'code').textContent()
  await part(page, 'action').click()
  await becomes(() => part(page, 'action').textContent(), 'I copied the code')
  expect(await part(page, 'text').textContent()).toBe(
    'The code wasn’t copied. Select it and copy it yourself.',
  )
  expect(await part(page, 'code').textContent()).toBe(code)
  await look(page, 'light')
  await part(page, 'action').click()
  await becomes(status(page), 'ready')
  await page.context().close()
})

test('a signature is a state of its card, a wrong PIN a sentence, and then it is there', async () => {
  proves('react-states')
  const page = await open()
  await part(page, 'action').click()
  await becomes(status(page), 'ready')
  const button = page.locator('button')
  expect(await button.count()).toBe(0)
  await page.evaluate(
    'createTestPerson("Ada Lovelace").then(({ card }) => void connector.insertCard("a", card))',
  )
  await becomes(() => button.textContent(), 'Sign “Two tickets for Saturday”')
  await page.evaluate('connector.fail({ problem: "pin-wrong", triesLeft: 2 }, { times: 1 })')
  await button.click()
  const said = () => page.locator('p[role=status]').textContent()
  await becomes(said, 'The PIN is wrong. 2 attempts left.')
  await look(page, 'light')
  await button.click()
  await becomes(said, 'Signed: Two tickets for Saturday')
  await page.context().close()
})

test('the texts are in the language of the page', async () => {
  const page = await open({ fail: 'not-running', language: 'de' })
  await becomes(() => part(page, 'title').textContent(), 'Cardwire läuft nicht')
  expect(await part(page, 'link').textContent()).toBe('Cardwire herunterladen')
  expect(await part(page, 'link').getAttribute('href')).toBe(
    'https://ds.example/v3/downloads/installer',
  )
  await page.context().close()
})
