/** The page at /docs in Chromium: readable by everybody, and its examples work through every address of the service. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dsOperations } from '@cardwire/protocol'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator } from '../../test/bed/administrator.ts'
import { colorRules, runAxe } from '../../test/bed/axe.ts'
import { chromiumFlags, headlessProgram } from '../../test/bed/chromium.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { proves } from '../../test/bed/proves.ts'

describe.runIf(existsSync(headlessProgram))('page of the API', () => {
  let service: DistributionService
  let browser: Browser
  beforeAll(async () => {
    service = await startDistributionService()
    browser = await chromium.launch({ executablePath: headlessProgram, args: [...chromiumFlags] })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const ownAddress = () => service.url
  const secondAddress = () => service.url.replace('127.0.0.1', 'localhost')

  /** Opens the page; `faults` are errors of its console and requests to other origins. */
  async function open(
    address: string,
    { colorScheme = 'light', hash = '' }: { colorScheme?: 'light' | 'dark'; hash?: string } = {},
  ): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext({ colorScheme })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${address}/`)) faults.push(request.url())
    })
    await page.goto(`${address}/docs${hash}`)
    return { page, faults }
  }

  const fillToken = async (page: Page) =>
    page.getByRole('textbox', { name: 'Access token' }).fill(await service.login())

  /** Opens an operation and sends it as it stands; resolves with the line about the response. */
  async function send(page: Page, name: string): Promise<string> {
    const operation = page.locator(`#${name}`)
    await page.evaluate(`document.getElementById("${name}").open = true`)
    await operation.getByRole('button', { name: 'Send' }).click()
    const status = operation.getByRole('status')
    await status.filter({ hasText: /bytes|redirect/ }).waitFor()
    return (await status.textContent()) ?? ''
  }

  test('shows every operation and loads nothing from other origins', async () => {
    const { page, faults } = await open(ownAddress())

    const paths = await page.locator('.operation summary h3 code').allTextContents()
    expect(paths.toSorted()).toEqual(dsOperations.map(({ path }) => path).sort())
    expect(await page.title()).toBe('Cardwire distribution service: API')
    expect(faults).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'has no fault that axe finds, in %s, with operations of every kind open and a response shown',
    async (colorScheme) => {
      const { page } = await open(ownAddress(), { colorScheme })
      for (const name of ofEveryKind)
        await page.evaluate(`document.getElementById("${name}").open = true`)
      await send(page, 'systemStatus')

      const { violations, passes } = await runAxe(
        page,
        colorScheme === 'dark' ? colorRules : undefined,
      )
      expect(passes.map(({ id }) => id)).toContain('color-contrast')
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
    },
  )

  test.each([
    ['its own address', ownAddress],
    ['a second address', secondAddress],
  ])(
    'sends written examples through %s, and takes ids from their responses',
    async (_, address) => {
      const { page, faults } = await open(address())
      await fillToken(page)

      expect(await send(page, 'putVersion')).toMatch(/^20[01] /)
      expect(await send(page, 'putConfiguration')).toMatch(/^201 /)
      const shown = await page.locator('#putConfiguration .answer').textContent()
      const { id } = JSON.parse(shown ?? '').data
      expect(await page.locator('#getConfiguration').getByLabel('id').inputValue()).toBe(id)
      expect(await send(page, 'getConfiguration')).toMatch(/^200 /)
      expect(await send(page, 'deleteConfiguration')).toMatch(/^200 /)
      expect(faults).toEqual([])
      expect(await send(page, 'downloadInstallerOf')).toContain('redirect')
    },
  )

  test('shows commands for the address through which it was opened', async () => {
    const { page } = await open(secondAddress())

    expect(await page.locator('#login').textContent()).toContain(`ds=${secondAddress()}\n`)
  })

  test('the commands of the page get a token with which the next command works', async () => {
    const { page } = await open(ownAddress())
    const login = (await page.locator('#login').textContent()) ?? ''
    const list = (await page.locator('#listVersions .content > pre').textContent()) ?? ''
    expect(login).toContain('read -rsp')

    const output = await runShell(`${login}\n${list}`, `${administrator.password}\n`)
    const [token, response = ''] = output.split('\n')
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(JSON.parse(response)).toMatchObject({ success: true })
  })

  test('offers no form for what the service refuses from pages, such as its own log-in', async () => {
    const { page } = await open(ownAddress(), { hash: '#issueToken' })

    const login = page.locator('#issueToken')
    await login.getByText('Send it from a program').waitFor()
    expect(await login.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('button', { name: /log ?in|authorize/i }).count()).toBe(0)
  })

  test('sends nothing without the token that an operation needs, and says where it goes', async () => {
    const { page, faults } = await open(ownAddress(), { hash: '#listLabels' })

    await page.locator('#listLabels').getByRole('button').click()
    expect(await page.locator('#listLabels').getByRole('status').textContent()).toContain(
      'put an access token into the field',
    )
    expect(faults).toEqual([])
  })

  test('sends with the session of who has logged in, and holds no token', async () => {
    proves('docs-use-session')
    const { page, faults } = await open(ownAddress())
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('User name').fill(administrator.name)
    await page.getByLabel('Password').fill(administrator.password)
    const tokens: string[] = []
    page.on('request', async (request) => {
      const { authorization } = await request.allHeaders()
      if (authorization) tokens.push(authorization)
    })
    await page.keyboard.press('Enter')
    await page.getByText('You are signed in as admin').waitFor()
    expect(await send(page, 'listAudit')).toMatch(/^200 /)
    expect(await page.locator('#listAudit .answer').textContent()).toContain('logInBrowser')
    expect(await page.content()).not.toContain('eyJ')
    expect(tokens).toEqual([])
    expect(faults).toEqual([])
  })

  test('filters operations by words, and says how many are left', async () => {
    const { page } = await open(ownAddress())

    await page.getByLabel('Filter operations').fill('label KEY')
    const names = await page.evaluate(
      '[...document.querySelectorAll(".operation:not([hidden])")].map(({ id }) => id)',
    )
    expect(names).toEqual([
      'applicationToken',
      'putLabel',
      'deleteLabel',
      'rotateLabelKey',
      'revokeLabelKey',
    ])
    const { length } = dsOperations
    expect(await page.locator('#count').textContent()).toBe(`5 of ${length} operations`)
    expect(await page.locator('nav a:visible').allTextContents()).toEqual([
      'Access token',
      'Roles',
      'Tokens',
      'Labels',
    ])
    await page.getByLabel('Filter operations').fill('allowlist')
    expect(await page.locator('#count').textContent()).toBe(`1 of ${length} operations`)
    await page.getByLabel('Filter operations').fill('')
    expect(await page.locator('#count').textContent()).toBe(`${length} operations`)
  })

  test('an operation is opened, filled and sent with the keyboard alone', async () => {
    const { page } = await open(ownAddress())

    await page.getByLabel('Filter operations').focus()
    await page.keyboard.type('systemstatus')
    await tabTo(page, 'document.activeElement.matches("#systemStatus > summary")')
    await page.keyboard.press('Enter')
    await tabTo(page, 'document.activeElement.matches("#systemStatus button")')
    await page.keyboard.press('Enter')
    await page.locator('#systemStatus').getByRole('status').filter({ hasText: /^200 / }).waitFor()
    expect(await page.locator('#systemStatus .answer').textContent()).toContain('"isAlive": true')
  })
})

/** A query and a body, a choice, a path, a link, text in place of a form. All at once take axe minutes. */
const ofEveryKind = ['putVersion', 'latestVersion', 'getConfiguration', 'issueToken']

/** Presses Tab until `condition` holds in the page. */
async function tabTo(page: Page, condition: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    if (await page.evaluate(condition)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Cannot reach it with Tab: ${condition}`)
}

const runShell = (commands: string, input: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const shell = execFile('bash', ['-c', commands], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
    shell.stdin?.end(input)
  })
