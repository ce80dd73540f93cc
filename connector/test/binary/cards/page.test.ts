/** A page that has a card sign: the library, the compiled connector, a real card service, and a user who types the PIN. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Card, CardwireClient } from '@cardwire/client'
import { verifyAuthentication } from '@cardwire/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createTokenSigner } from '../../../../test/bed/token-signer.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { insertBeidCard, makeBeidFiles } from '../../cards/beid-files.ts'
import { address, identity, picture as jpeg } from '../../cards/beid-person.ts'
import { makeKeys } from '../../cards/emulated-card.ts'
import { type CardReader, pin } from './card-reader.ts'
import { connectLibrary, failureOf } from './library-page.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const origin = 'https://shop.example'
const message = Buffer.from('a message that is signed')

let folder: string
let display: Display
let pinentry: ScriptedPinentry
let user: UserAtReader
let bed: CardReader
let client: CardwireClient

// Whoever has the machine's only pcscd may need it for minutes.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-card-'))
  const signer = await createTokenSigner(folder)
  display = await startDisplay()
  const registryPort = String(await findFreePort())
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: origin,
    CARDWIRE_JWKS: signer.jwks,
    CARDWIRE_REGISTRY_PORT: registryPort,
  })
  ;({ bed, pinentry } = user)
  await bed.connector.waitForOutput(/registry found/)
  const configuration = { t1cApiPort: registryPort, jwt: signer.token() }
  client = await connectLibrary({ ca: bed.connector.ca, origin }, display, configuration)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await user?.stop()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function findCard(): Promise<Card> {
  const [reader] = await client.readersCardAvailable()
  if (!reader) throw new Error('Cannot find the card')
  return client.card(reader)
}

const digest = new Uint8Array(createHash('sha256').update(message).digest())

const isVerify = (entry: string) => entry.startsWith('00200080') && entry.endsWith('bytes)')

/** Whether the key of this certificate made the signature, as OpenSSL sees it. */
function isValid(der: Uint8Array, signature: Uint8Array, format: 'raw' | 'der'): boolean {
  const { publicKey: key } = new X509Certificate(der)
  const dsaEncoding = format === 'der' ? 'der' : 'ieee-p1363'
  return verify('sha256', message, { key, dsaEncoding }, signature)
}

test.each([
  ['RSA-2048', 'raw'],
  ['P-256', 'der'],
  ['P-384', 'raw'],
  ['P-384', 'der'],
] as const)(
  'a page lists the certificates and gets a signature by %s as %s',
  async (type, format) => {
    proves('library-cards')
    const { keys } = await makeKeys({ '9A': 'P-256', '9C': type })
    await bed.insert({ keys })
    await pinentry.type(pin)
    const card = await findCard()
    const certificates = await card.certificates()
    expect(certificates.map(({ id, purpose }) => `${id} ${purpose}`)).toEqual([
      '9A authentication',
      '9C signature',
    ])
    const der = certificates[1]?.der ?? new Uint8Array()
    const signature = await card.sign({ key: '9C', hash: 'SHA-256', digest, format })
    expect(isValid(der, signature, format)).toBe(true)
    expect(await card.hashes()).toContain('SHA-256')
  },
)

test('several digests are signed with one dialog that says how many, and counted one by one', async () => {
  proves('several-digests-one-dialog')
  const { keys, certificateFile } = await makeKeys({ '9C': 'P-256' })
  const inserted = await bed.insert({ keys })
  await pinentry.type(pin)
  await pinentry.read()
  const before = await countSignatures()
  const texts = ['one', 'two', 'three']
  const digests = texts.map((text) => createHash('sha256').update(text).digest())
  const signatures = await (await findCard()).signAll({ hash: 'SHA-256', digests })
  const { publicKey: key } = new X509Certificate(await readFile(certificateFile('9C')))
  const isValid = texts.map((text, at) =>
    verify(
      'sha256',
      Buffer.from(text),
      { key, dsaEncoding: 'ieee-p1363' },
      signatures[at] ?? Buffer.of(),
    ),
  )
  expect(isValid).toEqual([true, true, true])
  const shown = await pinentry.read()
  expect(shown.match(/GETPIN/g)).toHaveLength(1)
  expect(shown).toContain('Your PIN will be used for 3 signatures.')
  expect(inserted.trace.filter(isVerify)).toHaveLength(3)
  expect(await countSignatures()).toBe(before + 3)
})

async function countSignatures(): Promise<number> {
  const { json } = await bed.connector.request('/ds/transactions')
  const uses = json.data as { useCase: string; counter: number }[]
  return uses
    .filter(({ useCase }) => useCase === 'signature')
    .reduce((sum, { counter }) => sum + counter, 0)
}

const nonce = Buffer.alloc(32, 5).toString('base64')

test.each([
  ['RSA-2048', 'RS256'],
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
] as const)(
  'a user authenticates with %s, and the back end accepts the token as %s only for its origin and nonce',
  async (type, algorithm) => {
    proves('authentication')
    const { keys, certificateFile } = await makeKeys({ '9A': type })
    const inserted = await bed.insert({ keys })
    await pinentry.type(pin)
    const token = await (await findCard()).authenticate({ nonce })
    const options = { origin, nonce, roots: [await readFile(certificateFile('9A'), 'utf8')] }
    const user = await verifyAuthentication(JSON.stringify(token), options)
    expect([user.algorithm, user.subject['CN']]).toEqual([algorithm, ['Test 9A']])
    const refused = { name: 'AuthenticationError', reason: 'signature-invalid' }
    const elsewhere = { ...options, origin: 'https://other.example' }
    await expect(verifyAuthentication(token, elsewhere)).rejects.toMatchObject(refused)
    const later = { ...options, nonce: Buffer.alloc(32, 6).toString('base64') }
    await expect(verifyAuthentication(token, later)).rejects.toMatchObject(refused)
    expect(inserted.trace.filter(isVerify)).toHaveLength(1)
  },
)

test('a card whose only key to authenticate with needs no PIN authenticates nobody', async () => {
  proves('authentication', 'authentication-signed-for-page')
  const { keys } = await makeKeys({ '9E': 'P-256' })
  await bed.insert({ keys })
  const authenticated = (await findCard()).authenticate({ nonce })
  expect((await failureOf(authenticated)).problem).toBe('key-unknown')
})

test('a page reads who the user is, with the bytes of the picture, after one question; aborting closes it', async () => {
  proves('identity-data')
  const files = await makeBeidFiles('1.7')
  await bed.insertAnother((port) => insertBeidCard(port, files, { pin, protocol: 'T=0' }))
  await pinentry.type('wait')
  await pinentry.read()
  const waitForQuestion = () => waitFor(async () => (await pinentry.read()).includes('CONFIRM'))
  const card = await findCard()
  const controller = new AbortController()
  const { signal } = controller
  const aborted = failureOf(card.identity(['address'], { signal }))
  await waitForQuestion()
  controller.abort()
  expect((await aborted).reason).toBe('aborted')
  const read = card.identity(['biometric', 'picture'])
  // There is one window at a time: the other has closed.
  await waitForQuestion()
  await pinentry.type('share')
  const { biometric, picture } = await read
  expect(biometric).toMatchObject(identity)
  expect(Buffer.from(picture.picture).equals(jpeg)).toBe(true)
  expect((await card.identity(['address'])).address).toMatchObject(address)
  expect(await pinentry.read()).not.toContain('CONFIRM')
})

test('a nonce that is too short, and a program without an origin, get no token', async () => {
  proves('authentication')
  const inserted = await bed.insert()
  const before = inserted.trace.length
  const short = (await findCard()).authenticate({ nonce: 'short' })
  expect((await failureOf(short)).problem).toBe('input-invalid')
  const program = await bed.token('authentication-token', 'piv', {
    method: 'POST',
    body: JSON.stringify({ nonce }),
    headers: { 'content-type': 'application/json' },
  })
  expect(program).toMatchObject({ status: 403, json: { code: '104003' } })
  expect(inserted.trace.slice(before)).toEqual([])
})

test('a key to authenticate with signs no digest of a page', async () => {
  proves('authentication-signed-for-page')
  await bed.insert()
  const card = await findCard()
  const signed = card.sign({ key: '9A', hash: 'SHA-256', digest })
  expect(await failureOf(signed)).toMatchObject({ problem: 'grant-missing', wireCode: '104007' })
})

test('a page that aborts closes the dialog, and can ask again at once', async () => {
  proves('dialogs-queue', 'library-cards')
  const inserted = await bed.insert()
  const card = await findCard()
  await pinentry.type('wait')
  await pinentry.read()
  const controller = new AbortController()
  const { signal } = controller
  const aborted = failureOf(card.sign({ hash: 'SHA-256', digest, signal }))
  let shown = ''
  await waitFor(async () => {
    shown += await pinentry.read()
    return shown.includes('GETPIN')
  })
  expect(shown).toContain(origin)
  controller.abort()
  expect((await aborted).reason).toBe('aborted')
  await pinentry.type(pin)
  await waitFor(async () => {
    const again = await card.sign({ hash: 'SHA-256', digest }).catch((error) => error.problem)
    expect(again === 'pin-busy' || again instanceof Uint8Array).toBe(true)
    return again instanceof Uint8Array
  })
  expect(inserted.trace.filter(isVerify)).toHaveLength(1)
})

test('a wrong PIN says how many tries are left, and a cancelled dialog that it was cancelled', async () => {
  proves('library-cards')
  await bed.insert()
  const card = await findCard()
  await pinentry.type('654321')
  expect(await failureOf(card.sign({ hash: 'SHA-256', digest }))).toMatchObject({
    code: '100',
    problem: 'pin-wrong',
    triesLeft: 2,
  })
  await pinentry.type('cancel')
  expect((await failureOf(card.sign({ hash: 'SHA-256', digest }))).problem).toBe('pin-cancelled')
  await pinentry.read()
  expect((await failureOf(card.sign({ hash: 'SHA-256', digest }))).problem).toBe('pin-cancelled')
  expect(await pinentry.read()).toBe('')
})
