/** Several signatures of a page with one PIN, by the grant bulk: one dialog, a check of the PIN for each, and what ends it. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { findCardProcesses } from './card-processes.ts'
import { type CardReader, pin, startCardReader } from './card-reader.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

const origin = 'https://granted.pages.example'
const message = Buffer.from('a message that is signed')
const body = { algorithm: 'sha256', data: createHash('sha256').update(message).digest('base64') }

let folder: string
let display: Display
let pinentry: ScriptedPinentry
let bed: CardReader
let page: GrantedPage
let second: GrantedPage
let other: GrantedPage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-bulk-'))
  const file = join(folder, 'cards.json')
  const grants = [
    { origin, allow: ['bulk', 'raw-authenticate'] },
    { origin: 'https://second.pages.example', allow: ['bulk'] },
  ]
  await writeFile(file, JSON.stringify({ grants }), { mode: 0o600 })
  display = await startDisplay()
  pinentry = await createPinentry()
  bed = await startCardReader({
    ...display.settings,
    PATH: pinentry.path,
    CARDWIRE_CARDS: file,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
  })
  page = await openPage(bed, display, origin)
  second = await openPage(bed, display, 'https://second.pages.example')
  other = await openPage(bed, display, 'https://other.pages.example')
})
beforeEach(async () => {
  await pinentry.type(pin)
  await pinentry.read()
})
afterAll(async () => {
  await bed?.stop()
  await pinentry?.remove()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

const sign = (from = page, more: object = {}) => from.call('sign?bulk=true', { ...body, ...more })
const isVerify = (entry: string) => entry.startsWith('00200080') && entry.endsWith('bytes)')
/** How many dialogs there were since the last call. */
const countDialogs = async () => (await pinentry.read()).split('GETPIN').length - 1
/** It would end by itself after five seconds if it kept none. */
const waitUntilForgotten = async () => {
  const begun = performance.now()
  await waitFor(() => !keepsPin())
  expect(performance.now() - begun).toBeLessThan(4000)
}
const keepsPin = () => findCardProcesses(bed.connector.child.pid).length > 0

test('a page with the grant has several signatures with one dialog that says so, and the PIN is verified before each', async () => {
  proves('bulk-grant')
  const card = await bed.insert()
  const answers = [
    await sign(),
    await sign(),
    await page.call('sign_raw?bulk=true', {
      algorithm: 'sha256',
      data: message.toString('base64'),
    }),
  ]
  const { publicKey } = new X509Certificate(await readFile(bed.files.certificateFile('9C')))
  for (const { json } of answers)
    expect(verify('sha256', message, publicKey, Buffer.from(json.data.data, 'base64'))).toBe(true)
  const shown = await pinentry.read()
  expect(shown.split('GETPIN')).toHaveLength(2)
  expect(shown).toContain('up to 100 signatures')
  expect(shown).toContain('if 60 seconds pass')
  expect(shown).toContain(origin)
  const at = card.trace.flatMap((entry, index) => (isVerify(entry) ? [index] : []))
  expect(at).toHaveLength(3)
  for (const index of at) {
    expect(card.trace[index + 1]).toMatch(/^1087079C/)
    // Nobody after it has a verified PIN.
    const next = card.trace.findIndex((entry, later) => later > index && entry === 'reset')
    expect(next).toBeGreaterThan(index)
    expect(card.trace.slice(index + 1, next).some(isVerify)).toBe(false)
  }
})

test('a page without the grant has a dialog for each signature, and one that does not ask for bulk too', async () => {
  proves('bulk-grant')
  await bed.insert()
  await sign(other)
  await sign(other)
  expect(await countDialogs()).toBe(2)
  await page.call('sign', body)
  await page.call('sign', body)
  const shown = await pinentry.read()
  expect(shown.split('GETPIN')).toHaveLength(3)
  expect(shown).not.toContain('up to 100 signatures')
})

test.each(['GET', 'POST'])('reset-bulk-pin by %s ends it at once', async (method) => {
  proves('bulk-reset')
  await bed.insert()
  await sign()
  await other.reset(method)
  expect(keepsPin()).toBe(true)
  const { status, json } = await page.reset(method)
  expect([status, json.data]).toEqual([200, true])
  await waitUntilForgotten()
  await sign()
  expect(await countDialogs()).toBe(2)
})

test('another page, another key, and a signature without bulk end it', async () => {
  proves('bulk-reset', 'kept-pin-misused')
  await bed.insert()
  await sign()
  await sign(second)
  await sign()
  await sign(page, { id: '9A' })
  await sign()
  await page.call('sign', body)
  await sign()
  expect(await countDialogs()).toBe(7)
})

test('a card that is taken out ends it, and the card that is put back has a dialog', async () => {
  proves('bulk-reset')
  const first = await bed.insert()
  await sign()
  expect(keepsPin()).toBe(true)
  await first.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  await waitUntilForgotten()
  const again = await bed.insert()
  expect((await sign()).status).toBe(200)
  expect(again.trace.filter(isVerify)).toHaveLength(1)
  expect(await countDialogs()).toBe(2)
})

test('a wrong PIN is not kept', async () => {
  const card = await bed.insert()
  await pinentry.type('654321')
  expect((await sign()).json.code).toBe('108003')
  await pinentry.type(pin)
  expect((await sign()).status).toBe(200)
  expect(await countDialogs()).toBe(2)
  expect(card.trace.filter(isVerify)).toHaveLength(2)
})

test('a consent that is revoked ends it at once', async () => {
  proves('bulk-reset')
  await bed.insert()
  await sign()
  expect(keepsPin()).toBe(true)
  expect(runCommand(bed.connector.home, ['consents', 'revoke', origin]).status).toBe(0)
  await waitUntilForgotten()
})

test('a consent that is revoked and given again within a second ends it too', async () => {
  proves('bulk-reset', 'consent-given-again')
  await bed.insert()
  await openPage(bed, display, origin)
  await sign()
  expect(runCommand(bed.connector.home, ['consents', 'revoke', origin]).status).toBe(0)
  await openPage(bed, display, origin)
  expect((await sign()).status).toBe(200)
  expect(await countDialogs()).toBe(2)
})

test('what waits for its turn when the consent is revoked is neither signed nor read', async () => {
  proves('consent-given-again')
  const card = await bed.insert()
  await openPage(bed, display, origin)
  const before = card.trace.length
  const waiting = [
    ...Array.from({ length: 6 }, () => page.call('sign', { ...body, id: '9E' })),
    ...Array.from({ length: 6 }, () => page.read('cert-list', 'piv')),
  ]
  await waitFor(() => card.trace.length > before)
  // The card answers nothing meanwhile: this process is both.
  expect(runCommand(bed.connector.home, ['consents', 'revoke', origin]).status).toBe(0)
  const answers = await Promise.all(waiting)
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  const signatures = card.trace.slice(before).filter((entry) => /^..87..9E/.test(entry))
  expect(signatures.length).toBeLessThanOrEqual(1)
})
