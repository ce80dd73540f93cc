/** The pages that people see, in a real browser: nothing from elsewhere, no error, readable by a screen reader. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../test/bed/distribution-service.ts'
import { createVersion } from './harness/arrange.ts'

const program = '/usr/bin/chromium'

/** Quiet, and able to run as root; every page below is on loopback. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
]

describe.runIf(existsSync(program))('pages', () => {
  let service: DistributionService
  let browser: Browser
  beforeAll(async () => {
    service = await startDistributionService()
    browser = await chromium.launch({ executablePath: program, args: flags })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Opens an address and notes everything that went wrong or elsewhere. */
  async function open(path: string, userAgent?: string): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext(userAgent === undefined ? {} : { userAgent })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(service.url))
        faults.push(request.url())
    })
    await page.goto(service.url + path)
    return { page, faults }
  }

  test('page of choices has a heading, links for the keyboard, and both colour schemes', async () => {
    const uris = [
      { os: 'WIN64', uri: 'https://downloads.example/64.msi' },
      { os: 'UNIX', uri: 'https://downloads.example/connector.deb' },
    ]
    await createVersion(service, await service.login(), { id: '4.0.0', uris })
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
    const { page, faults } = await open('/v3/downloads/installer', phone)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Download Cardwire')
    expect(await page.getByRole('link').allTextContents()).toEqual([
      'Windows, 64-bit 4.0.0',
      'Linux 4.0.0',
    ])
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.href')).toContain(
      '/v3/downloads/installers/win64/versions/4.0.0',
    )
    const background = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
    expect(await background()).toBe('light dark')
    expect(faults).toEqual([])
  })
})
