/** While the dialog for a PIN is open: another page, another program, a consent that ends, a PIN that is looked for everywhere. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { homePaths, runCommand } from '../../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import type { CardReader } from './card-reader.ts'
import { openPage } from './granted-page.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const run = promisify(execFile)
const pin = '83947261'
const data = createHash('sha256').update('a message').digest('base64')
const body = { algorithm: 'sha256', data }

let display: Display
let pinentry: ScriptedPinentry
let user: UserAtReader
let bed: CardReader

beforeAll(async () => {
  display = await startDisplay()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_LOG_LEVEL: 'debug',
  })
  ;({ bed, pinentry } = user)
})
afterAll(async () => {
  await user?.stop()
  await display?.stop()
})
beforeEach(async () => {
  await pinentry.type('wait')
  await pinentry.read()
})

let pages = 0
async function openAnother() {
  pages += 1
  const origin = `https://page-${pages}.pages.example`
  return { origin, ...(await openPage(bed, display, origin)) }
}

/** Resolves with what the user reads, once a dialog wants a PIN, or an answer. */
async function waitForDialog(command = 'GETPIN'): Promise<string> {
  let shown = ''
  await waitFor(async () => {
    shown += await pinentry.read()
    return shown.includes(command)
  })
  return shown
}

const isVerify = (entry: string) => entry.startsWith('00200080') && entry.endsWith('bytes)')

test('two pages have their dialogs in turn, each with its own name, and a page has one at a time', async () => {
  proves('dialogs-queue', 'dialogs-confused')
  const [one, two] = [await openAnother(), await openAnother()]
  const card = await bed.insert({ pin })
  const first = one.call('sign', body)
  const shown = await waitForDialog()
  expect([shown.includes(one.origin), shown.includes(two.origin)]).toEqual([true, false])
  const before = card.trace.length
  const second = two.call('sign', body)
  // Its certificate is read, so that it waits for the dialog.
  await waitFor(() => card.trace.length > before)
  expect(await one.call('sign', body)).toMatchObject({ status: 429, json: { code: '108002' } })
  expect(await pinentry.read()).toBe('')
  await pinentry.type(pin)
  expect([(await first).status, (await second).status]).toEqual([200, 200])
  const next = await pinentry.read()
  expect([next.includes(one.origin), next.includes(two.origin)]).toEqual([false, true])
  expect(card.trace.filter(isVerify)).toHaveLength(2)
})

test('a consent that is revoked while the dialog is open closes it, and no PIN is sent', async () => {
  proves('dialogs-queue', 'dialogs-confused')
  const page = await openAnother()
  const card = await bed.insert({ pin })
  const answer = page.call('sign', body)
  await waitForDialog()
  const { status } = runCommand(bed.connector.home, ['consents', 'revoke', page.origin])
  expect(status).toBe(0)
  expect(await answer).toMatchObject({ status: 403, json: { code: '814501' } })
  await waitFor(async () => (await findDialogs()).length === 0)
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('opensc-tool has the card while the dialog is open, and the signature is made after it', async () => {
  proves('dialogs-queue')
  const page = await openAnother()
  await bed.insert({ pin })
  const answer = page.call('sign', body)
  await waitForDialog()
  const options = { timeout: 60_000 }
  const { stdout } = await run('opensc-tool', ['--reader', '0', '--name'], options)
  expect(stdout).toContain('Personal Identity Verification Card')
  await pinentry.type(pin)
  expect((await answer).status).toBe(200)
})

test('a page whose user closes the window for a PIN has no other for half a minute', async () => {
  proves('pin-window-repeated')
  const page = await openAnother()
  const card = await bed.insert({ pin })
  await pinentry.type('cancel')
  expect((await page.call('verify-pin')).status).toBe(409)
  await pinentry.type(pin)
  await pinentry.read()
  const again = await page.call('sign', body)
  expect(again).toMatchObject({ status: 409, json: { code: '108005' } })
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(20)
  expect([await pinentry.read(), card.trace.filter(isVerify)]).toEqual(['', []])
})

test('what is typed as the window opens never reaches the card', async () => {
  proves('pin-typed-ahead')
  const page = await openAnother()
  const card = await bed.insert({ pin })
  await pinentry.type('early')
  const answer = page.call('sign', body)
  // In the question that follows, digits do nothing, and Enter refuses.
  const shown = await waitForDialog('CONFIRM')
  await pinentry.type('cancel')
  expect(await answer).toMatchObject({ status: 409, json: { code: '108005' } })
  expect(shown).toMatch(/GETPIN(.|\n)*entry wasn’t used(.|\n)*CONFIRM/)
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('the last attempt is made only after another question, and a wrong PIN of a check has the page wait', async () => {
  proves('pin-attempt-confirmed', 'pin-window-repeated')
  const [one, two] = [await openAnother(), await openAnother()]
  const card = await bed.insert({ pin })
  await pinentry.type('00000000')
  for (const triesLeft of [2, 1]) {
    expect((await two.call('sign', body)).json).toMatchObject({ code: '108003', triesLeft })
  }
  const before = card.trace.filter(isVerify).length
  await pinentry.read()
  await pinentry.type('cancel')
  expect(await one.call('verify-pin')).toMatchObject({ status: 409, json: { code: '108005' } })
  const shown = await pinentry.read()
  expect(shown.replaceAll('%0A', ' ')).toContain(
    'This is your last attempt. If the PIN is wrong, it will be blocked.',
  )
  expect(shown).not.toContain('GETPIN')
  expect(card.trace.filter(isVerify)).toHaveLength(before)
  await pinentry.type(pin)
  expect((await two.call('sign', body)).status).toBe(200)
  await pinentry.type('00000000')
  expect((await two.call('verify-pin')).json).toMatchObject({ code: '108003' })
  expect((await two.call('sign', body)).json).toMatchObject({ code: '108005' })
})

test('the PIN is in no log, argument, environment or answer, while the dialog is open and afterwards', async () => {
  proves('pin-hidden', 'pin-in-process-list')
  const page = await openAnother()
  await bed.insert({ pin })
  const answer = page.call('sign', { ...body, pin })
  await waitForDialog()
  expect(await findInProcesses(pin)).toEqual([])
  await pinentry.type(pin)
  const { text, status } = await answer
  expect([status, text.includes(pin)]).toEqual([200, false])
  expect(await findInProcesses(pin)).toEqual([])
  expect(await readLogs()).toContain('/sign')
  expect(await readLogs()).not.toContain(pin)
})

/** The processes of scripted dialogs. */
const findDialogs = () => findInProcesses(`${pinentry.path.split(':')[0]}/pinentry-gnome3`)

/** The processes with this text in their arguments or environment. */
async function findInProcesses(text: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const file of ['cmdline', 'environ']) {
      const content = await readFile(`/proc/${id}/${file}`, 'latin1').catch(() => '')
      if (content.includes(text)) found.push(`${id} ${file}`)
    }
  }
  return found
}

async function readLogs(): Promise<string> {
  const { logs } = homePaths(bed.connector.home)
  const files = await Promise.all(
    (await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')),
  )
  return [...files, bed.connector.output()].join('\n')
}
