/** The whole of Cardwire by its one command, operated by a user with a keyboard: from the first page to a card. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type BrowserSession,
  copyButton,
  findAccessibilityFaults,
  giveConsent,
  type OpenedPage,
  openBrowserSession,
  pressByKeyboard,
  seeHeading,
} from './browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runConsents,
  runTrust,
  startExample,
} from './example-start.ts'

let user: BrowserSession
let example: RunningExample
let opened: OpenedPage
beforeAll(async () => {
  user = await openBrowserSession()
  const environment = await createExampleEnvironment(user.folder, { ...user.display.settings })
  example = await startExample(environment)
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await user?.close()
})

test('npm start prints the addresses and the first password', () => {
  const first = `on this computer\n\n  page             ${example.url}\n`
  expect(example.output()).toContain(first)
  expect(example.output()).toMatch(/ {2}password {9}\S{12,}\n/)
  expect(example.output()).toContain('npm run trust')
  expect(example.output()).not.toContain('give consent here')
})

test('the page says what to do when the browser does not trust the connector, and the download works', async () => {
  opened = await user.open(example.url)
  const { page } = opened
  await seeHeading(page, 'Cardwire isn’t responding')
  expect(await page.getByText('npm run trust').isVisible()).toBe(true)
  expect(await findAccessibilityFaults(page)).toEqual([])
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download Cardwire' }).press('Enter')
  const download = await coming
  const { size } = await stat(await download.path())
  expect(size).toBeGreaterThan(50_000_000)
  await opened.close()
})

test('npm run trust makes the browser trust the connector, and names each store that does and that does not', async () => {
  // A store in the data of the example, which no browser reads.
  mkdirSync(join(user.folder, 'data/example/connector/share/pki/nssdb'), { recursive: true })
  const profile = join(user.folder, 'home/.mozilla/firefox/damaged.default')
  mkdirSync(profile, { recursive: true })
  writeFileSync(join(profile, 'cert9.db'), 'this is no database')
  const failed = runTrust(example.environment)
  expect(failed.output).toContain('✗ nss:.mozilla/firefox/damaged.default cannot be read')
  expect(failed.output).toContain('A store with a ✗ doesn’t trust the root certificate')
  expect(failed.status).toBe(1)

  rmSync(profile, { recursive: true })
  const { status, output } = runTrust(example.environment)
  expect(output).toContain('localhost only')
  expect(output.match(/✓.*/g)).toEqual([
    '✓ nss:.local/share/pki/nssdb trusts the root certificate',
    '✓ nss:.pki/nssdb trusts the root certificate',
  ])
  expect(status).toBe(0)
  opened = await user.open(example.url)
  await seeHeading(opened.page, 'Allow this site to use your card reader?')
  expect(await findAccessibilityFaults(opened.page)).toEqual([])
})

test('the page leads by keyboard alone from consent to a card, which it shows within a second', async () => {
  proves('example-keyboard')
  const { page, faults } = opened
  expect(await page.evaluate('document.activeElement.textContent')).toBe(
    'Allow this site to use your card reader?',
  )
  await giveConsent(page, () => pressByKeyboard(page, copyButton))
  expect(await page.getByRole('listitem').filter({ hasText: 'No card' }).count()).toBe(1)
  expect(await findAccessibilityFaults(page)).toEqual([])

  const began = Date.now()
  await pressByKeyboard(page, 'Insert the virtual card')
  await page.locator('.reader.holding').waitFor()
  expect(Date.now() - began).toBeLessThan(1000)
  expect(await page.getByRole('status').textContent()).toBe(
    'Cardwire Virtual Reader has a card: NIST demo PIV card (eID).',
  )
  expect(await findAccessibilityFaults(page)).toEqual([])

  await page.getByRole('button', { name: 'Remove the virtual card' }).press('Enter')
  await page.locator('.reader:not(.holding)').waitFor()
  await page.getByRole('button', { name: 'Insert the virtual card' }).waitFor()
  expect(faults).toEqual([])
})

test('the page opens by an address that works once, and its token is for browsers that have opened one', async () => {
  proves('example-token-taken')
  const { origin, url } = example
  const ask = async (path: string) => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const response = await fetch(new URL(path, origin), { headers, redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  const refused = {
    status: 401,
    text: 'You have no session. Open the most recent URL from npm start',
  }
  for (const path of ['/', '/main.js', '/configuration', '/token']) {
    expect(await ask(path)).toEqual(refused)
  }
  const [first = ''] = /http\S+\?key=\S+/.exec(example.output()) ?? []
  expect(first).not.toBe(url)
  expect(await ask(first)).toEqual(refused)
  expect((await ask(url)).status).toBe(303)
  await expect.poll(() => example.url).not.toBe(url)
  const log = join(user.folder, 'data/example/logs/example.log')
  expect(readFileSync(log, 'utf8')).not.toContain('key=')
})

test('a second visit needs no consent', async () => {
  await opened.page.reload()
  await seeHeading(opened.page, 'Your card readers')
  expect(opened.faults).toEqual([])
})

test('npm start writes to its own folders and the trust stores of browsers alone', () => {
  const home = join(user.folder, 'home')
  const written = readdirSync(home, { recursive: true, encoding: 'utf8' })
  expect(written.filter((path) => path.includes('cardwire'))).toEqual([])
  expect(readdirSync(join(user.folder, 'data')).toSorted()).toEqual([
    'cardwire.sqlite',
    'cardwire.sqlite-shm',
    'cardwire.sqlite-wal',
    'cardwire.sqlite.secret',
    'example',
    'keystores',
    'packages',
  ])
})

/** A start takes a few seconds on a quiet machine, and much longer on a busy one. */
const startTimeout = { timeout: 240_000 }

test(
  'Ctrl-C stops every process, and a second start continues with the same data',
  startTimeout,
  async () => {
    expect(processesOf(user.folder).length).toBeGreaterThanOrEqual(5)
    expect(await example.stop()).toBe(0)
    expect(processesOf(user.folder)).toEqual([])

    example = await startExample(example.environment)
    expect(example.output()).not.toContain('password ')
    expect(example.output()).not.toContain('npm run trust')
    await opened.page.reload()
    await opened.page.getByText('Open the most recent URL from npm start').waitFor()
    await opened.page.goto(example.url)
    await seeHeading(opened.page, 'Your card readers')
  },
)

test('npm run consents lists the consents of the example, and revokes one', async () => {
  proves('consents-script')
  const { environment, origin } = example
  const revoke = () => runConsents(environment, 'revoke', origin)
  expect(runConsents(environment).output).toContain(origin)
  const { status, output } = revoke()
  expect([status, output]).toEqual([0, `✓ access revoked for ${origin}\n`])
})

test('a consent that is revoked while the page is open is named as the reason, and the page offers to ask again', async () => {
  proves('consent-end-named')
  const { page } = opened
  await seeHeading(page, 'This site no longer has access')
  expect(await page.getByRole('alert').textContent()).toBe(
    'Access was revoked or has expired, so this site can no longer see your card readers. To allow it again, copy a new code.',
  )
  expect(await findAccessibilityFaults(page)).toEqual([])
  await giveConsent(page)

  runConsents(example.environment, 'revoke', example.origin)
  await seeHeading(page, 'This site no longer has access')
  await page.reload()
  await seeHeading(page, 'Allow this site to use your card reader?')
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('kill -9 of npm start ends every process', startTimeout, async () => {
  example.child.kill('SIGKILL')
  await expect.poll(() => processesOf(user.folder)).toEqual([])
})

test(
  'the next start finds its ports free, and ends with the process that runs it',
  startTimeout,
  async () => {
    const script =
      "require('node:child_process').spawn(process.execPath, ['client/example/start/main.ts'], { stdio: 'inherit' })"
    const { environment } = example
    const parent = spawn(process.execPath, ['-e', script], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    await new Promise<void>((resolve) => {
      parent.stdout.on('data', (part) => {
        output += part
        if (output.includes('Ctrl-C stops it')) resolve()
      })
    })
    parent.kill('SIGTERM')
    await expect.poll(() => processesOf(user.folder)).toEqual([])
    example = await startExample(environment)
  },
)

test(
  'a process that crashes is named, and stops the others with exit status 1',
  startTimeout,
  async () => {
    const [connector] = processesOf(user.folder).filter(({ command }) => command.endsWith(' run'))
    if (!connector) throw new Error('Cannot find the connector among the processes')
    process.kill(connector.pid, 'SIGKILL')
    const status = await new Promise((resolve) => example.child.once('exit', resolve))
    expect(status).toBe(1)
    expect(example.output()).toContain('Cannot continue: the connector ended by SIGKILL')
    expect(processesOf(user.folder)).toEqual([])
  },
)

test('npm run trust -- --remove removes the root from the trust stores', () => {
  const databases = ['.pki/nssdb', '.local/share/pki/nssdb'].map((place) => {
    const database = `sql:${join(user.folder, 'home', place)}`
    return () => execFileSync('certutil', ['-L', '-d', database]).toString()
  })
  for (const listed of databases) expect(listed()).toContain('Cardwire')
  expect(runTrust(example.environment, '--remove').status).toBe(0)
  for (const listed of databases) expect(listed()).not.toContain('Cardwire')
})

/** The programs whose environment names the folder, except the browser. */
function processesOf(
  folder: string,
): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const read = (file: string) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8')
        } catch {
          return ''
        }
      }
      const command = read('cmdline').replaceAll('\0', ' ').trim()
      const ours = read('environ').includes(`EXAMPLE_DATA=${folder}`)
      return ours && command !== '' ? [{ pid: Number(pid), command }] : []
    })
}
