/** OpenPGP cards through the compiled connector, with a real card service. */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import type { OpenpgpCardOptions } from '../../cards/openpgp-card.ts'
import {
  insertOpenpgpCard,
  makeOpenpgpFiles,
  type OpenpgpFiles,
  type OpenpgpKeyType,
} from '../../cards/openpgp-files.ts'
import { type CardReader, startCardReader } from './card-reader.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

const pin = 'letters & 1'
const message = Buffer.from('a message that is signed')
const digest = createHash('sha256').update(message).digest()
const isVerify = (entry: string) => /^002000(81|82)0B/.test(entry)
const types = ['RSA-2048', 'P-256', 'Ed25519'] as const satisfies OpenpgpKeyType[]

let bed: CardReader
let pinentry: ScriptedPinentry
let files: Readonly<Record<(typeof types)[number], OpenpgpFiles>>

beforeAll(async () => {
  const made = await Promise.all(types.map(async (type) => [type, await makeOpenpgpFiles(type)]))
  files = Object.fromEntries(made)
  pinentry = await createPinentry()
  bed = await startCardReader({ PATH: pinentry.path, DISPLAY: ':none' })
})
afterAll(async () => {
  await bed?.stop()
  await pinentry?.remove()
})

const insert = (type: (typeof types)[number], options: Partial<OpenpgpCardOptions> = {}) =>
  bed.insertAnother((port) =>
    insertOpenpgpCard(port, { ...files[type], pin, protocol: 'T=1', ...options }),
  )
const get = async (path: string) => (await bed.token(path, 'openpgp')).json.data
const post = (path: string, body: object) =>
  bed.token(path, 'openpgp', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const signing = { algorithm: 'sha256', data: digest.toString('base64') }

function isValid(privateKey: KeyObject | undefined, signature: Uint8Array): boolean {
  if (!privateKey) throw new Error('Expected a key')
  const key = createPublicKey(privateKey)
  if (key.asymmetricKeyType === 'ed25519') return verify(null, digest, key, signature)
  return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature)
}

describe.each([
  ['RSA-2048', 'T=1', true],
  ['RSA-2048', 'T=0', false],
  ['P-256', 'T=1', false],
  ['P-256', 'T=0', true],
  ['Ed25519', 'T=1', false],
] as const)('OpenPGP card with keys of %s over %s, certificates: %s', (type, protocol, has) => {
  test('it signs with a PIN of letters, and says which tries are left', async () => {
    proves('openpgp-signatures')
    const card = await insert(type, { protocol, ...(!has && { certificates: {} }) })
    await pinentry.type(pin)
    await pinentry.read()
    const { status, json } = await post('sign', signing)
    expect([status, json.description]).toEqual([200, undefined])
    const signature = Buffer.from(json.data.data, 'base64')
    expect(isValid(files[type].keys.signature, signature)).toBe(true)
    expect(await pinentry.read()).toMatch(/OpenPGP card.*3 attempts left/)
    const at = card.trace.findIndex(isVerify)
    expect(card.trace.slice(at, at + 2)).toEqual([
      '002000810B (11 bytes)',
      expect.stringMatching(/^002A9E9A/),
    ])
    expect(card.trace.slice(at)).toContain('reset')
  })
})

test('its certificates are listed, and its algorithms are those of its key, with a certificate or without', async () => {
  proves('openpgp-data')
  const card = await insert('P-256')
  const { authentication } = files['P-256'].certificates
  const certificate = Buffer.from(authentication ?? []).toString('base64')
  expect(await get('authentication-cert')).toMatchObject({ certificate, id: 'authentication' })
  expect(Object.keys(await get('cert-list')).sort()).toEqual([
    'authenticationCertificate',
    'encryptionCertificate',
    'nonRepudiationCertificate',
  ])
  await card.remove()
  await waitFor(async () => (await bed.find())?.card === undefined)
  await insert('Ed25519', { certificates: {} })
  expect(await get('cert-list')).toEqual({})
  expect(await get('supported-algorithms')).toEqual({ ref: ['sha512', 'sha256', 'sha384'] })
})

test('its holder is read after a question, and what it is without one', async () => {
  proves('openpgp-data')
  await insert('P-256')
  await pinentry.type('yes')
  await pinentry.read()
  expect(await get('biometric')).toMatchObject({ name: 'LOVELACE', firstNames: 'ADA KING' })
  expect(await pinentry.read()).toContain('CONFIRM')
  expect(await get('info')).toMatchObject({ info: { serialNumber: 'FFFFCAFE1234' } })
  expect(await get('version')).toEqual({ version: '3.4' })
  expect(await pinentry.read()).toBe('')
})

test.each([
  ['Ed25519', true],
  ['Ed25519', false],
  ['P-256', false],
] as const)(
  'authenticate with keys of %s, certificates: %s, is key-unsupported before the user is asked',
  async (type, has) => {
    proves('openpgp-no-authentication')
    await insert(type, has ? {} : { certificates: {} })
    await pinentry.read()
    expect(await post('authenticate', signing)).toMatchObject({
      ...{ status: 422, json: { code: '202002' } },
    })
    expect(await pinentry.read()).toBe('')
  },
)

test('authenticate with a key of P-256 that has a certificate signs', async () => {
  await insert('P-256')
  await pinentry.type(pin)
  const { json } = await post('authenticate', signing)
  const signature = Buffer.from(json.data.data, 'base64')
  expect(isValid(files['P-256'].keys.authentication, signature)).toBe(true)
})

test('a card that wants PINs hashed is key-unsupported before the user is asked', async () => {
  const card = await insert('P-256', { hashesPins: true })
  await pinentry.read()
  for (const path of ['sign', 'verify-pin']) {
    expect(await post(path, signing)).toMatchObject({ status: 422, json: { code: '202002' } })
  }
  expect([await pinentry.read(), card.trace.filter(isVerify)]).toEqual(['', []])
})

test('the signature of a card without a certificate is checked by its public key', async () => {
  proves('openpgp-data')
  await insert('P-256', { certificates: {} })
  await pinentry.type(pin)
  const signature = (await post('sign', signing)).json.data.data
  const validate = async (hash: string) => {
    const body = { algorithm: 'sha256', hash, signedHash: signature }
    return (await post('validate', body)).json.data
  }
  expect(await validate(signing.data)).toEqual({ valid: true })
  expect(await validate(Buffer.alloc(32).toString('base64'))).toEqual({ valid: false })
})

test('a listing names the module by its application, and each success is counted', async () => {
  proves('openpgp-data')
  await insert('P-256', { certificates: {} })
  await waitFor(async () => (await bed.find())?.card?.module === 'openpgp')
  await pinentry.type(pin)
  expect((await post('verify-pin', {})).status).toBe(200)
  const { json } = await bed.connector.request('/ds/transactions')
  expect(json.data).toContainEqual(
    expect.objectContaining({ module: 'openpgp', useCase: 'pin-verification' }),
  )
})
