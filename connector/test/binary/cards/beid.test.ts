/** Belgian identity cards through the compiled connector, with a real card service, as legacy clients of `beid` use them. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import type { BeidApplet } from '../../cards/beid-card.ts'
import {
  type BeidCertificate,
  type BeidFiles,
  insertBeidCard,
  makeBeidFiles,
} from '../../cards/beid-files.ts'
import { type CardReader, startCardReader } from './card-reader.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

const pin = '1234'
const message = Buffer.from('a message that is signed')
const digestOf = (hash: string) => createHash(hash).update(message).digest('base64')
const isVerify = (entry: string) => entry.startsWith('00200001') && entry.endsWith('bytes)')

let bed: CardReader
let pinentry: ScriptedPinentry
let cards: Readonly<Record<BeidApplet, BeidFiles>>

beforeAll(async () => {
  cards = { '1.7': await makeBeidFiles('1.7'), '1.8': await makeBeidFiles('1.8') }
  pinentry = await createPinentry()
  bed = await startCardReader({ PATH: pinentry.path, DISPLAY: ':none' })
})
afterAll(async () => {
  await bed?.stop()
  await pinentry?.remove()
})

const insert = (applet: BeidApplet, protocol: 'T=0' | 'T=1' = 'T=0') =>
  bed.insertAnother((port) => insertBeidCard(port, cards[applet], { pin, protocol }))
const get = async (path: string) => (await bed.token(path, 'beid')).json.data
const post = (path: string, body: object) =>
  bed.token(path, 'beid', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const readCertificate = async (applet: BeidApplet, name: BeidCertificate) =>
  new X509Certificate(await readFile(cards[applet].certificateFile(name)))

describe.each([
  ['1.7', 'T=0', 'sha512'],
  ['1.7', 'T=1', 'sha1'],
  ['1.8', 'T=0', 'sha384'],
  ['1.8', 'T=1', 'sha256'],
] as const)('Belgian card of applet %s over %s', (applet, protocol, hash) => {
  test('every certificate is read byte for byte, in a list and alone', async () => {
    proves('belgian-certificates')
    await insert(applet, protocol)
    const base64 = async (name: BeidCertificate) =>
      (await readCertificate(applet, name)).raw.toString('base64')
    const expected = {
      authenticationCertificate: ['authentication-cert', 'authentication'],
      nonRepudiationCertificate: ['nonrepudiation-cert', 'signature'],
      intermediateCertificates: ['intermediate-certs', 'ca'],
      rootCertificate: ['root-cert', 'root'],
    } as const
    const list = await get('cert-list')
    expect(Object.keys(list).sort()).toEqual(Object.keys(expected).sort())
    for (const [member, [path, name]] of Object.entries(expected)) {
      expect(list[member].certificates).toMatchObject([{ certificate: await base64(name) }])
      expect(await get(path)).toEqual(list[member])
    }
  })

  test('it signs, after the user has entered the PIN', async () => {
    proves('belgian-signatures')
    await insert(applet, protocol)
    await pinentry.type(pin)
    await pinentry.read()
    const { status, json } = await post('sign', { algorithm: hash, data: digestOf(hash) })
    expect([status, json.description]).toEqual([200, undefined])
    const { publicKey: key } = await readCertificate(applet, 'signature')
    const signature = Buffer.from(json.data.data, 'base64')
    expect(verify(hash, message, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
    // The dialog cannot say how many tries are left.
    const shown = await pinentry.read()
    expect(shown).toContain('Belgian identity card')
    expect(shown).not.toMatch(/tries|try/i)
  })
})

test('VERIFY stands directly before the signing command, and the card is reset after it', async () => {
  proves('belgian-signatures')
  const card = await insert('1.7')
  await pinentry.type(pin)
  await post('sign', { algorithm: 'sha256', data: digestOf('sha256') })
  const at = card.trace.findIndex(isVerify)
  expect(card.trace.slice(at - 1, at + 2)).toEqual([
    '002241B6050480018483',
    '0020000108 (8 bytes)',
    expect.stringMatching(/^002A9E9A/),
  ])
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  expect(card.trace.slice(at)).toContain('reset')
})

test('a listing names the module by the ATR of applet 1.7, and by the application of 1.8', async () => {
  proves('belgian-module-detected')
  const findSelections = (trace: readonly string[]) =>
    trace.filter((entry) => entry.startsWith('00A404'))
  const old = await insert('1.7')
  expect(await bed.find()).toMatchObject({ card: { modules: ['beid'] } })
  expect(findSelections(old.trace)).toEqual([])
  await old.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  const card = await insert('1.8')
  await waitFor(async () => (await bed.find())?.card?.module === 'beid')
  expect(findSelections(card.trace)).not.toEqual([])
})

test('supported-algorithms are those of the applet', async () => {
  proves('belgian-signatures')
  const card = await insert('1.8')
  expect(await get('supported-algorithms')).toEqual({ ref: ['sha384', 'sha512', 'sha256'] })
  const sha1 = { algorithm: 'sha1', data: digestOf('sha1') }
  await pinentry.read()
  expect(await post('sign', sha1)).toMatchObject({ status: 422, json: { code: '202002' } })
  expect([await pinentry.read(), card.trace.filter(isVerify)]).toEqual(['', []])
})

test('a wrong PIN costs one try; one that is blocked opens no dialog until the card is inserted anew', async () => {
  proves('unknown-pin-attempts', 'pin-blocked-unnoticed')
  const card = await insert('1.7')
  await pinentry.type('4321')
  const wrong = async () => (await post('verify-pin', {})).json
  expect(await wrong()).toMatchObject({ code: '108003', triesLeft: 2 })
  expect(card.trace.filter(isVerify)).toHaveLength(1)
  await wrong()
  expect(await wrong()).toMatchObject({ code: '108004' })
  await pinentry.read()
  await pinentry.type(pin)
  const sign = () => post('sign', { algorithm: 'sha256', data: digestOf('sha256') })
  // Both keys have this PIN, each with a certificate of its own.
  for (const id of ['authentication', 'signature']) {
    const answer = await post('verify-pin', { id })
    expect(answer).toMatchObject({ status: 409, json: { code: '108004' } })
  }
  expect(await pinentry.read()).toBe('')
  expect(card.trace.filter(isVerify)).toHaveLength(3)
  await card.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  await insert('1.7')
  expect((await sign()).status).toBe(200)
})

test.each(['123', '1234567890123', '12a4'])('the PIN %s is never sent', async (typed) => {
  proves('unknown-pin-attempts')
  const card = await insert('1.7')
  await pinentry.type(typed)
  expect(await post('verify-pin', {})).toMatchObject({ status: 422, json: { code: '108007' } })
  expect(card.trace.filter(isVerify)).toEqual([])
})
