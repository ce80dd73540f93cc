/** The policy templates, read by the browsers of this machine: a listed site is not asked about, any other is. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createManagedProgram } from './managed-browser.ts'
import { browsers, openUserSession, type UserSession, waitForState } from './user-session.ts'
import { becomes } from './wait.ts'

const [chromium, firefox] = browsers
const policies = new URL('../../../docs/policies/', import.meta.url)

let folder: string
let desk: UserSession | undefined
afterEach(async () => {
  await desk?.close()
  await rm(folder, { recursive: true, force: true })
})

/** `asksPage`: whether the browser tells a listed page that it would ask. */
test.each([
  {
    template: 'chromium.json',
    browser: chromium,
    program: '/usr/bin/chromium',
    path: '/etc/chromium/policies/managed/cardwire.json',
    asksPage: false,
  },
  {
    template: 'chromium-before-146.json',
    browser: chromium,
    program: '/usr/bin/chromium',
    path: '/etc/chromium/policies/managed/cardwire.json',
    asksPage: false,
  },
  {
    template: 'firefox.json',
    browser: firefox,
    program: '/usr/bin/firefox-esr',
    path: '/etc/firefox/policies/policies.json',
    asksPage: true,
  },
])(
  'with $template a listed site reaches the connector without an answer, and no other does',
  async ({ template, browser: [, openBrowser], program, path, asksPage }) => {
    proves('journey-browser-policies')
    folder = await mkdtemp(join(tmpdir(), 'cardwire-policies-'))
    const content = await readFile(new URL(template, policies), 'utf8')
    const managed = await createManagedProgram(folder, program, { path, content })
    desk = await openUserSession((surroundings) =>
      openBrowser({ ...surroundings, program: managed }),
    )
    const { shop, browser, connector } = desk
    const other = await browser.open(shop.otherPage().address(connector.registryPort))
    await becomes(() => other.read('shop.questions'), 1)
    const listed = await browser.open(shop.newPage().address(connector.registryPort))
    await waitForState(listed, 'consent-required')
    expect(await listed.read('shop.questions')).toBe(asksPage ? 1 : 0)
    // Its question is still open.
    expect(await other.text('#state')).toBe('looking')
  },
)

test('every template names the same sites', async () => {
  proves('journey-browser-policies')
  folder = await mkdtemp(join(tmpdir(), 'cardwire-policies-'))
  const read = (file: string) => readFile(new URL(file, policies), 'utf8')
  const pattern = 'https://[*.]shop.example'
  const hosts = ['shop.example', '*.shop.example']
  expect(JSON.parse(await read('chromium.json'))).toEqual({
    LoopbackNetworkAllowedForUrls: [pattern],
  })
  expect(JSON.parse(await read('firefox.json')).policies.LocalNetworkAccess.SkipDomains).toEqual(
    hosts,
  )
  const [registry, profile] = await Promise.all([read('windows.reg'), read('macos.mobileconfig')])
  const values = [...registry.matchAll(/^"\d"="(.*)"$/gm)].map(([, value]) => value)
  expect(values).toEqual([pattern, pattern, ...hosts])
  const texts = [...profile.matchAll(/<array>(<string>.*<\/string>)<\/array>/g)].flatMap(
    ([, list = '']) => [...list.matchAll(/<string>(.*?)<\/string>/g)].map(([, value]) => value),
  )
  expect(texts).toEqual([pattern, pattern, ...hosts])
})
