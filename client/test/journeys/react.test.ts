/** The React example in Chromium: once with the compiled connector behind it, and once with the test double. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { toolPath } from '../../../test/bed/repository.ts'
import type { Tab } from './browser.ts'
import { openChromium } from './chromium.ts'
import { openUserSession, type UserSession } from './user-session.ts'
import { becomes } from './wait.ts'

const example = fileURLToPath(new URL('../../example/react', import.meta.url))
const toSource = (entry: string) => ({
  html: join(example, 'page.html'),
  entry: join(example, entry),
  scriptPath: '/main.js',
})
const allow = 'Allow this site to use your card reader?'
const action = '[data-cardwire-part=action]'
const heading = (tab: Tab) => () => tab.text('h2')
const readers = (tab: Tab) => () => tab.text('ul')
const status = (tab: Tab) => () => tab.text('p[role=status]')

describe('with the compiled connector', () => {
  let desk: UserSession
  beforeAll(async () => {
    desk = await openUserSession(openChromium, {}, { source: toSource('main.tsx') })
  })
  afterAll(() => desk?.close())

  test('the hook shows the readers after consent, and each card that comes and goes', async () => {
    proves('react-example')
    const page = await desk.newPage()
    const { connector, browser } = desk
    const tab = await browser.open(page.address(connector.registryPort))
    await becomes(heading(tab), allow)
    await tab.click(action)
    await becomes(readers(tab), expect.stringMatching(/: no card$/))
    await connector.insert('3B9813400AA503010101AD1311')
    await becomes(readers(tab), expect.stringMatching(/: Belgium Electronic ID card/))
    await connector.remove()
    await becomes(readers(tab), expect.stringMatching(/: no card$/))
    await connector.command('consents', 'revoke', page.origin)
    await becomes(heading(tab), allow)
    await tab.click(action)
    await becomes(readers(tab), expect.stringMatching(/: no card$/))
    await tab.close()
  })

  test('a page tells a connector that hangs from one that was killed, and is back when it is', async () => {
    proves('stale-readers', 'connection-looks-again')
    const page = await desk.newPage()
    const { connector, browser } = desk
    const tab = await browser.open(page.address(connector.registryPort))
    await becomes(heading(tab), allow)
    await tab.click(action)
    await becomes(readers(tab), expect.stringMatching(/: no card$/))
    const stale = () => tab.text('[data-cardwire-stale] [data-cardwire-part=text]')
    const pid = connector.pid()
    process.kill(pid, 'SIGSTOP')
    const stopped = performance.now()
    await becomes(stale, 'Cardwire isn’t responding. Your card readers may have changed.')
    // Three seconds on a machine with nothing else to do.
    expect(performance.now() - stopped).toBeLessThan(10_000)
    await becomes(heading(tab), 'Cardwire isn’t responding')
    process.kill(pid, 'SIGCONT')
    await becomes(readers(tab), expect.stringMatching(/: no card$/))
    await becomes(stale, null)
    process.kill(pid, 'SIGKILL')
    await becomes(heading(tab), 'Cardwire isn’t running')
    await connector.start()
    await becomes(readers(tab), expect.stringMatching(/: no card$/))
    await tab.close()
  })

  test('a back end that gives no token is a sentence, and the page continues when it does', async () => {
    proves('react-example')
    const page = await desk.newPage()
    const { token } = desk.shop
    desk.shop.token = () => {
      throw new Error('No token')
    }
    const tab = await desk.browser.open(page.address(desk.connector.registryPort))
    await becomes(heading(tab), 'This site is unavailable')
    desk.shop.token = token
    await tab.click(action)
    await becomes(heading(tab), allow)
    await tab.close()
  })
})

describe('with the test double', () => {
  let desk: UserSession
  beforeAll(async () => {
    desk = await openUserSession(openChromium, {}, { source: toSource('scripted-main.tsx') })
  })
  afterAll(() => desk?.close())

  test('the page shows each change that the test scripts', async () => {
    proves('react-example')
    const tab = await desk.browser.open(desk.shop.newPage().address('1'))
    await becomes(heading(tab), allow)
    await tab.click(action)
    await becomes(readers(tab), 'Desk: no card')
    await tab.read('connector.insertCard("a", { atr: "3B00", description: ["A test card"] })')
    await becomes(readers(tab), 'Desk: A test card')
    await tab.read('connector.removeReader("a")')
    await becomes(status(tab), 'Connect a card reader.')
    await tab.read('connector.stopCardService()')
    await becomes(status(tab), 'This computer’s smart card service isn’t running.')
    await tab.read('connector.startCardService()')
    await becomes(status(tab), 'Connect a card reader.')
    await tab.read('connector.revokeConsent()')
    await becomes(heading(tab), allow)
    await tab.click(action)
    await becomes(status(tab), 'Connect a card reader.')
    await tab.close()
  })
})

test('the example compiles', async () => {
  const { stdout } = await promisify(execFile)(toolPath('tsc'), ['-b', example]).catch(
    (error) => error,
  )
  expect(stdout).toBe('')
})

test('the example uses only the library for React', async () => {
  const files = ['main.tsx', 'app.tsx']
  const sources = await Promise.all(files.map((file) => readFile(join(example, file), 'utf8')))
  const imported = sources.flatMap((source) =>
    [...source.matchAll(/from '([^.][^']*)'/g)].map(([, name]) => name),
  )
  expect(new Set(imported)).toEqual(new Set(['@cardwire/react', 'react', 'react-dom/client']))
})
