/** PINs of a page's own form, by the grant page-pin: in every form of legacy clients, and never a second time when wrong. */
import { constants, createHash, publicEncrypt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { type CardReader, pin, startCardReader } from './card-reader.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

const origin = 'https://granted.pages.example'
const signing = {
  algorithm: 'sha256',
  data: createHash('sha256').update('a message').digest('base64'),
}

let folder: string
let display: Display
let pinentry: ScriptedPinentry
let bed: CardReader
let page: GrantedPage
let other: GrantedPage
let deviceKey: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-page-pins-'))
  const file = join(folder, 'cards.json')
  const grants = [{ origin, allow: ['page-pin', 'bulk'] }]
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
  other = await openPage(bed, display, 'https://other.pages.example')
  deviceKey = (await bed.connector.request('/device-key')).json.data
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

const encryptBytes = (text: string) =>
  publicEncrypt({ key: deviceKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text))
/** As clients from 3.7.1 on do. */
const encrypt = (text: string) => encryptBytes(text).toString('base64')
/** As clients before do when the ciphertext begins with a zero. */
function encryptShort(text: string): string {
  let ciphertext = encryptBytes(text)
  while (ciphertext[0] !== 0) ciphertext = encryptBytes(text)
  return ciphertext.subarray(1).toString('base64')
}
const isVerify = (entry: string) => entry.startsWith('00200080') && entry.endsWith('bytes)')

test.each<[string, () => string]>([
  ['a ciphertext', () => encrypt(pin)],
  ['a ciphertext of 255 bytes', () => encryptShort(pin)],
  ['plaintext', () => pin],
  ['base64', () => Buffer.from(pin).toString('base64')],
])('the PIN of a page with the grant is used without a dialog: %s', async (_, make) => {
  proves('page-pin-grant')
  const card = await bed.insert()
  const checked = await page.call('verify-pin', { pin: make(), base64Encoded: true })
  expect(checked.json.data).toEqual({ verified: true })
  expect((await page.call('sign', { ...signing, pin: make() })).status).toBe(200)
  expect(await pinentry.read()).toBe('')
  expect(card.trace.filter(isVerify)).toHaveLength(2)
})

test('the PIN of a page without the grant is not used: the dialog opens', async () => {
  proves('page-pin-grant', 'page-pin-misused')
  await bed.insert()
  const { json } = await other.call('verify-pin', { pin: encrypt('000000') })
  expect(json.data).toEqual({ verified: true })
  expect(await pinentry.read()).toContain('GETPIN')
  expect((await page.call('verify-pin')).json.data).toEqual({ verified: true })
  expect(await pinentry.read()).toContain('GETPIN')
})

test('a wrong PIN costs one try and is never sent again in any form, until the card is taken out', async () => {
  proves('page-pin-not-repeated', 'page-blocks-card')
  const wrong = '654321'
  const card = await bed.insert()
  const first = encrypt(wrong)
  expect(await page.call('verify-pin', { pin: first })).toMatchObject({
    ...{ status: 422, json: { code: '108003', triesLeft: 2 } },
  })
  const attempts = [
    page.call('verify-pin', { pin: first }),
    page.call('sign', { ...signing, pin: encrypt(wrong) }),
    page.call('verify-pin', { pin: wrong }),
  ]
  for (const { status, json } of await Promise.all(attempts))
    expect([status, json.code, json.triesLeft]).toEqual([422, '108003', 2])
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  expect((await page.call('verify-pin', { pin: encrypt(pin) })).status).toBe(200)
  await card.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  const again = await bed.insert()
  expect((await page.call('verify-pin', { pin: encrypt(wrong) })).json.code).toBe('108003')
  expect(again.trace.filter(isVerify)).toHaveLength(1)
})

test('the same wrong PIN in four requests at once costs one try', async () => {
  proves('page-pin-not-repeated')
  const card = await bed.insert()
  const sent = Array.from({ length: 4 }, () => page.call('verify-pin', { pin: encrypt('111111') }))
  const codes = (await Promise.all(sent)).map(({ json }) => json.code)
  expect(codes.filter((code) => code !== '108003' && code !== '108002')).toEqual([])
  expect(card.trace.filter(isVerify)).toHaveLength(1)
})

test('a ciphertext that is none is the same problem as a PIN of another form, and nothing is sent', async () => {
  proves('pin-decryption-oracle')
  const card = await bed.insert()
  const texts = [
    encrypt('12a456'),
    encrypt('12345'),
    Buffer.alloc(256, 7).toString('base64'),
    Buffer.alloc(256, 255).toString('base64'),
    Buffer.alloc(255).toString('base64'),
    'nonsense',
  ]
  const answers = await Promise.all(texts.map((text) => page.call('verify-pin', { pin: text })))
  const responses = answers.map(({ status, json: { instance: _, ...json } }) => ({ status, json }))
  expect(responses[0]).toMatchObject({ status: 422, json: { code: '108007' } })
  expect(new Set(responses.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(card.trace.filter(isVerify)).toEqual([])
  expect(await pinentry.read()).toBe('')
})

test('with both grants the PIN of the page makes several signatures, and is asked for nowhere', async () => {
  const card = await bed.insert()
  for (const more of [{ pin: encrypt(pin) }, {}, {}])
    expect((await page.call('sign?bulk=true', { ...signing, ...more })).status).toBe(200)
  expect(await pinentry.read()).toBe('')
  expect(card.trace.filter(isVerify)).toHaveLength(3)
})
