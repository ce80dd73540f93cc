/** Tokens of a PKCS #11 library that lie in no reader, through the compiled connector, without a card service. */
import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Connector, startConnector } from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { asPage, createCodeWord } from '../../../test/bed/page.ts'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { createSoftToken, type SoftToken, tokenPin } from '../tokens/soft-token.ts'
import { findCardProcesses } from './cards/card-processes.ts'
import { createPinentry, type ScriptedPinentry } from './cards/scripted-pinentry.ts'

const message = Buffer.from('a message that is signed')
const digest = createHash('sha256').update(message).digest('base64')

const granted = 'https://granted.example'
const other = 'https://other.example'

let folder: string
let soft: SoftToken
let pinentry: ScriptedPinentry
let display: Display
let connector: Connector
let certificates: ReadonlyMap<string, Buffer>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tokens-'))
  soft = await createSoftToken()
  certificates = await soft.add('Ada', [
    { id: 'A1', type: 'RSA-2048', usage: 'authentication' },
    { id: 'B1', type: 'RSA-2048', usage: 'signature' },
    { id: 'B2', type: 'P-256', usage: 'signature' },
    { id: 'B3', type: 'P-384', usage: 'signature' },
    { id: 'C1', type: 'RSA-2048', usage: 'encryption' },
    { id: 'D1', type: 'RSA-2048', usage: 'signature', alwaysAuthenticates: true },
  ])
  await soft.add('Twin', [])
  await soft.add('Twin', [])
  await soft.add('Both', [{ id: 'E1', type: 'P-256', usage: 'both' }])
  const cards = join(folder, 'cards.json')
  const libraries = [{ ...soft.library, ownReaders: true }]
  const grants = [{ origin: granted, allow: ['raw-authenticate', 'bulk', 'page-pin'] }]
  await writeFile(cards, JSON.stringify({ grants, libraries }), { mode: 0o600 })
  pinentry = await createPinentry()
  display = await startDisplay()
  connector = await startConnector({
    ...display.settings,
    ...soft.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: `${granted},${other}`,
    CARDWIRE_JWT: 'off',
    PATH: pinentry.path,
  })
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  await pinentry?.remove()
  await soft?.remove()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  await pinentry.type(tokenPin)
  await pinentry.read()
})

const signing = { algorithm: 'sha256', data: digest }
const find = async (name = 'Ada') => {
  const { json } = await connector.request('/v3/readers')
  return json.data.find((reader: { readonly name: string }) => reader.name === name)
}
const pathOf = async (path: string, module = 'pkcs11') =>
  `/v3/modules/${module}/apps/token/readers/${(await find()).id}/${path}`
const get = async (path: string) => (await connector.request(await pathOf(path))).json
const post = async (path: string, body: object) =>
  connector.request(await pathOf(path), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

test('a token is listed as a reader of its own, by its label, without a card service', async () => {
  proves('pkcs11-tokens-without-reader')
  expect(await find()).toMatchObject({
    name: 'Ada',
    pinpad: false,
    card: { module: 'pkcs11', modules: ['pkcs11'] },
  })
})

test('its certificates are listed by what they are for', async () => {
  const { data } = await get('cert-list')
  const base64 = (id: string) => certificates.get(id)?.toString('base64')
  expect(data).toMatchObject({
    authenticationCertificate: { certificate: base64('A1'), id: 'A1' },
    nonRepudiationCertificate: { certificate: base64('B1'), id: 'B1' },
  })
})

const isValid = (id: string, algorithm: string, signature: string) => {
  const { publicKey } = new X509Certificate(certificates.get(id) ?? '')
  const [hash = '', isPss] = algorithm.split('-')
  const pss = isPss && { padding: constants.RSA_PKCS1_PSS_PADDING }
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363', ...pss } as const
  return verify(hash, message, key, Buffer.from(signature, 'base64'))
}

test.each([
  ['B1', 'sha1'],
  ['B1', 'sha256'],
  ['B1', 'sha384'],
  ['B1', 'sha512'],
  ['B2', 'sha1'],
  ['B2', 'sha256'],
  ['B2', 'sha512'],
  ['B3', 'sha384'],
  ['D1', 'sha256'],
  ['B1', 'sha1-pss'],
  ['B1', 'sha256-pss'],
  ['B1', 'sha384-pss'],
  ['B1', 'sha512-pss'],
  ['D1', 'sha256-pss'],
])('key %s signs a digest of %s after a dialog that names the token', async (id, algorithm) => {
  proves('pkcs11-library')
  const data = createHash(algorithm.replace('-pss', '')).update(message).digest('base64')
  const { status, json } = await post('sign', { algorithm, data, id })
  expect([status, json.description]).toEqual([200, undefined])
  expect(isValid(id, algorithm, json.data.data)).toBe(true)
  expect(await pinentry.read()).toMatch(/Ada/)
})

test('several digests are signed with one dialog, also by a key that wants its PIN each time', async () => {
  proves('pkcs11-tokens-without-reader')
  const digests = [digest, digest, digest]
  const { json } = await post('signatures', { algorithm: 'sha256', digests, id: 'D1' })
  const all: readonly string[] = json.data.signatures
  expect(all.map((signature) => isValid('D1', 'sha256', signature))).toEqual([true, true, true])
  expect((await pinentry.read()).match(/GETPIN/g)).toHaveLength(1)
})

test('a wrong PIN is told, a right one is verified, and one of another length is not sent', async () => {
  expect(await post('verify-pin', {})).toMatchObject({ status: 200 })
  await pinentry.type('wrong PIN')
  expect(await post('verify-pin', {})).toMatchObject({ json: { code: '108003' } })
  expect(await post('sign', signing)).toMatchObject({ json: { code: '108003' } })
  await pinentry.type('123')
  expect(await post('verify-pin', {})).toMatchObject({ json: { code: '108007' } })
  await pinentry.type(tokenPin)
  expect(await post('verify-pin', {})).toMatchObject({ status: 200 })
})

test('a signature is checked by the certificate of its key', async () => {
  const { json } = await post('sign', { ...signing, id: 'B2' })
  const body = { algorithm: 'sha256', hash: digest, signedHash: json.data.data, id: 'B2' }
  expect((await post('validate', body)).json.data).toEqual({ valid: true })
  expect((await post('validate', { ...body, id: 'B1' })).json.data).toEqual({ valid: false })
})

test('one by RSASSA-PSS is none by PKCS #1 v1.5, and the other way round', async () => {
  const { json } = await post('sign', { ...signing, id: 'B1', algorithm: 'SHA-256-PSS' })
  const body = { hash: digest, signedHash: json.data.data, id: 'B1' }
  const validate = async (algorithm: string, signedHash = body.signedHash) =>
    (await post('validate', { ...body, signedHash, algorithm })).json.data.valid
  expect([await validate('sha256-pss'), await validate('sha256')]).toEqual([true, false])
  const other = (await post('sign', { ...signing, id: 'B1' })).json.data.data
  expect([await validate('sha256-pss', other), await validate('sha256', other)]).toEqual([
    false,
    true,
  ])
})

test('an elliptic key does not sign with RSASSA-PSS: key-unsupported, and no dialog', async () => {
  const signed = await post('sign', { ...signing, algorithm: 'sha256-pss', id: 'B2' })
  expect(signed).toMatchObject({ status: 422, json: { code: '202002' } })
  expect(await pinentry.read()).toBe('')
})

test('a key to encrypt with signs nothing, and one that is not there is unknown', async () => {
  expect(await post('sign', { ...signing, id: 'C1' })).toMatchObject({ json: { code: '202002' } })
  expect(await post('sign', { ...signing, id: 'FF' })).toMatchObject({ json: { code: '202001' } })
})

test('its algorithms and its description are told', async () => {
  expect((await get('supported-algorithms')).data.ref).toEqual([
    ...['sha256', 'sha384', 'sha512', 'sha1'],
    ...['sha256-pss', 'sha384-pss', 'sha512-pss', 'sha1-pss'],
  ])
  expect((await get('info')).data).toMatchObject({
    infoType: 'PKCS11',
    info: { label: 'Ada', manufacturerId: 'SoftHSM project', ulMinPinLen: 4 },
  })
})

test('tokens of one label have their serial numbers beside it', async () => {
  proves('pkcs11-tokens-without-reader')
  const { json } = await connector.request('/v3/readers')
  const names = json.data.map(({ name }: { readonly name: string }) => name)
  expect(names.filter((name: string) => /^Twin \([0-9a-f]{16}\)$/.test(name))).toHaveLength(2)
})

test('a module of cards is none of a token', async () => {
  const { json } = await connector.request(await pathOf('cert-list', 'piv'))
  expect(json).toMatchObject({ success: false, code: '702003' })
})

/** A page with the consent of the user posts to an operation of the token 'Both'. */
async function postAsPage(origin: string, path: string, body: object) {
  const send = (to: string, content: object) => connector.request(to, asPage(origin, content))
  const codeWord = createCodeWord()
  await display.copy(codeWord)
  // A sixth code word in a minute is refused: the page has consent by then.
  expect((await send('/v3/consent', { codeWord })).status).toBe(200)
  const { id } = await find('Both')
  return send(`/v3/modules/pkcs11/apps/token/readers/${id}/${path}`, body)
}

test('a page needs a grant for a key that is for log in and for signatures', async () => {
  proves('token-key-misused')
  const { status, json } = await postAsPage(other, 'sign', signing)
  expect([status, json.code]).toEqual([403, '104007'])
  expect(await pinentry.read()).toBe('')
  expect(await postAsPage(granted, 'sign', signing)).toMatchObject({ status: 200 })
  expect(await pinentry.read()).toContain('is asking you to sign')
})

test('a user authenticates to a page with a token', async () => {
  const { status, json } = await postAsPage(other, 'authentication-token', {
    nonce: 'a'.repeat(44),
  })
  expect([status, json.description]).toEqual([200, undefined])
  expect(json.data).toMatchObject({ algorithm: 'ES256', format: 'web-eid:1.0' })
  expect(await pinentry.read()).toContain('asking you to sign in')
})

test('several signatures are made with one PIN by the grant, until the page resets it', async () => {
  proves('pkcs11-tokens-without-reader')
  const sign = async () => (await postAsPage(granted, 'sign?bulk=true', signing)).status
  expect([await sign(), await sign()]).toEqual([200, 200])
  expect((await pinentry.read()).match(/GETPIN/g)).toHaveLength(1)
  const path = '/v3/modules/safenet/apps/token/reset-bulk-pin'
  const headers = { origin: granted, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
  const reset = await connector.request(path, { token: null, headers })
  expect(reset.json.data).toBe(true)
  expect(await sign()).toBe(200)
  expect((await pinentry.read()).match(/GETPIN/g)).toHaveLength(1)
})

test('a PIN of a page is used by the grant, and one that was refused is not sent again', async () => {
  const post = async (pin: string) =>
    (await postAsPage(granted, 'sign', { ...signing, pin })).json.code
  expect([await post('wrong PIN'), await post('wrong PIN')]).toEqual(['108003', '108003'])
  expect(await post(tokenPin)).toBeUndefined()
  expect(await pinentry.read()).toBe('')
})

test('the process of a library ends with the PIN that it was given', async () => {
  proves('library-pin-memory')
  const list = () => findCardProcesses(connector.child.pid, 'token')
  await get('cert-list')
  const before = list()
  expect(before).toHaveLength(1)
  await get('cert-list')
  expect(list()).toEqual(before)
  expect((await post('sign', signing)).status).toBe(200)
  await get('cert-list')
  expect(list().some((id) => !before.includes(id))).toBe(true)
  await waitFor(() => !list().includes(before[0] ?? ''))
})
