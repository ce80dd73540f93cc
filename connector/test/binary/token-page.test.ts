/** A page that signs with a token of a PKCS #11 library, by our own client, through the compiled connector. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Card, CardwireClient } from '@cardwire/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Connector, startConnector } from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createTokenSigner } from '../../../test/bed/token-signer.ts'
import { createSoftToken, type SoftToken, tokenPin } from '../tokens/soft-token.ts'
import { connectLibrary } from './cards/library-page.ts'
import { createPinentry, type ScriptedPinentry } from './cards/scripted-pinentry.ts'

const origin = 'https://shop.example'
const message = Buffer.from('a message that is signed')
const digest = new Uint8Array(createHash('sha256').update(message).digest())

let folder: string
let soft: SoftToken
let display: Display
let pinentry: ScriptedPinentry
let connector: Connector
let client: CardwireClient

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-tokens-'))
  soft = await createSoftToken()
  await soft.add('Ada', [
    { id: 'A1', type: 'P-256', usage: 'authentication' },
    { id: 'B1', type: 'P-384', usage: 'signature' },
  ])
  const cards = join(folder, 'cards.json')
  const libraries = [{ ...soft.library, ownReaders: true }]
  await writeFile(cards, JSON.stringify({ libraries }), { mode: 0o600 })
  const signer = await createTokenSigner(folder)
  pinentry = await createPinentry()
  await pinentry.type(tokenPin)
  display = await startDisplay()
  const registryPort = String(await findFreePort())
  connector = await startConnector({
    ...display.settings,
    ...soft.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: origin,
    CARDWIRE_JWKS: signer.jwks,
    CARDWIRE_REGISTRY_PORT: registryPort,
    PATH: pinentry.path,
  })
  await connector.waitForOutput(/registry found/)
  const configuration = { t1cApiPort: registryPort, jwt: signer.token() }
  client = await connectLibrary({ ca: connector.ca, origin }, display, configuration)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await connector?.stop()
  await display?.stop()
  await pinentry?.remove()
  await soft?.remove()
  await rm(folder, { recursive: true, force: true })
})

async function findCard(): Promise<Card> {
  const reader = (await client.readersCardAvailable()).find(({ name }) => name === 'Ada')
  if (!reader) throw new Error('Cannot find the token')
  return client.card(reader)
}

test('a page lists the certificates of a token and gets signatures', async () => {
  proves('pkcs11-tokens-without-reader')
  const card = await findCard()
  const certificates = await card.certificates()
  expect(certificates.map(({ id, purpose }) => `${id} ${purpose}`)).toEqual([
    'A1 authentication',
    'B1 signature',
  ])
  expect(await card.hashes()).toEqual(['SHA-384', 'SHA-512', 'SHA-256', 'SHA-1'])
  const { publicKey: key } = new X509Certificate(certificates[1]?.der ?? '')
  const isValid = (signature: Uint8Array, dsaEncoding: 'der' | 'ieee-p1363') =>
    verify('sha256', message, { key, dsaEncoding }, signature)
  const raw = await card.sign({ hash: 'SHA-256', digest, format: 'raw' })
  const der = await card.sign({ hash: 'SHA-256', digest, format: 'der' })
  const all = await card.signAll({ hash: 'SHA-256', digests: [digest, digest], format: 'raw' })
  expect([isValid(raw, 'ieee-p1363'), isValid(der, 'der')]).toEqual([true, true])
  expect(all.map((signature) => isValid(signature, 'ieee-p1363'))).toEqual([true, true])
})

test('a user authenticates to a page with a token', async () => {
  proves('pkcs11-tokens-without-reader')
  const nonce = crypto.randomUUID() + crypto.randomUUID()
  const card = await findCard()
  const token = await card.authenticate({ nonce })
  const [own] = await card.certificates({ purpose: 'authentication' })
  const roots = [Buffer.from(own?.der ?? []).toString('base64')]
  expect(roots).toEqual([token.unverifiedCertificate])
  expect(token).toMatchObject({ algorithm: 'ES256', format: 'web-eid:1.0' })
})
