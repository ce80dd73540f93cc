/** Tokens of a PKCS #11 library that lie in no reader, through the compiled connector, without a card service. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connector, startConnector } from '../../../.ci/test-bed/connector.ts'
import { createSoftToken, type SoftToken, tokenPin } from '../tokens/soft-token.ts'
import { createPinentry, type ScriptedPinentry } from './cards/scripted-pinentry.ts'

const message = Buffer.from('a message that is signed')
const digest = createHash('sha256').update(message).digest('base64')

let folder: string
let soft: SoftToken
let pinentry: ScriptedPinentry
let connector: Connector
let certificates: ReadonlyMap<string, Buffer>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tokens-'))
  soft = await createSoftToken()
  certificates = await soft.add('Ada', [
    { id: 'A1', type: 'RSA-2048', usage: 'authentication' },
    { id: 'B1', type: 'RSA-2048', usage: 'signature' },
    { id: 'B2', type: 'P-256', usage: 'signature' },
  ])
  const cards = join(folder, 'cards.json')
  const libraries = [{ ...soft.library, ownReaders: true }]
  await writeFile(cards, JSON.stringify({ libraries }), { mode: 0o600 })
  pinentry = await createPinentry()
  connector = await startConnector({
    ...soft.settings,
    CARDWIRE_CARDS: cards,
    PATH: pinentry.path,
    DISPLAY: ':none',
  })
}, 120_000)
afterAll(async () => {
  await connector?.stop()
  await pinentry?.remove()
  await soft?.remove()
  await rm(folder, { recursive: true, force: true })
})

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

test('it signs with an RSA key after a dialog that names it', async () => {
  await pinentry.type(tokenPin)
  await pinentry.read()
  const { status, json } = await post('sign', { algorithm: 'sha256', data: digest })
  expect([status, json.description]).toEqual([200, undefined])
  const { publicKey } = new X509Certificate(certificates.get('B1') ?? '')
  expect(verify('sha256', message, publicKey, Buffer.from(json.data.data, 'base64'))).toBe(true)
  expect(await pinentry.read()).toContain('Ada')
})
