/** The example without a desktop, as over ssh: no clipboard is read, and both the terminal and the page report it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type BrowserSession,
  findAccessibilityFaults,
  type OpenedPage,
  openBrowserSession,
} from './browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from './example-start.ts'

let user: BrowserSession
let example: RunningExample
let opened: OpenedPage
beforeAll(async () => {
  user = await openBrowserSession()
  example = await startExample(await createExampleEnvironment(user.folder, {}))
  runTrust(example.environment)
  opened = await user.open(example.url)
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await user?.close()
})

test('npm start reports that nobody can give consent without a desktop, and what to do', () => {
  expect(example.output()).toMatch(/You can’t give consent here: neither DISPLAY nor WAYLAND/)
  expect(example.output()).toContain('desktop session of your browser')
})

test('the page says what differs each time a code is found on no clipboard, and when the tries are over', async () => {
  proves('code-not-found')
  const { page } = opened
  const copy = page.getByRole('button', { name: 'Copy the code and continue' })
  const code = page.locator('[data-text="word"]')
  const alert = page.getByRole('alert')
  await copy.waitFor()
  const words: (string | null)[] = []
  /** Copies the code that is shown, which nobody finds. */
  const copyCode = async () => {
    words.push(await code.textContent())
    await copy.press('Enter')
  }
  const wait = { timeout: 20_000 }

  await copyCode()
  await expect
    .poll(() => alert.allTextContents())
    .toEqual([
      'Cardwire couldn’t find the code on your clipboard. Copy this new code, and don’t copy anything else until the page continues.',
    ])
  await copyCode()
  await expect
    .poll(() => alert.textContent())
    .toBe(
      'Cardwire couldn’t find the second code either. Make sure Cardwire is running in the same desktop session as this browser. You have one attempt left.',
    )
  expect(await findAccessibilityFaults(page)).toEqual([])
  await copyCode()
  await page.getByRole('heading', { name: 'Cardwire couldn’t find any of the codes' }).waitFor(wait)
  expect(await page.getByText('in a terminal of this desktop session').isVisible()).toBe(true)
  expect(await findAccessibilityFaults(page)).toEqual([])

  // It looks for five in a minute: the sixth is not looked for, and the page says so.
  await page.getByRole('button', { name: 'Start over' }).press('Enter')
  await copy.waitFor()
  for (const again of ['the code', 'the second code']) {
    await copyCode()
    await expect.poll(() => alert.textContent()).toContain(`couldn’t find ${again}`)
  }
  await copyCode()
  await expect
    .poll(() => alert.textContent())
    .toBe('Too many codes were copied. Wait a minute, then copy a new one.')
  words.push(await code.textContent())
  expect(new Set(words).size).toBe(7)
})
