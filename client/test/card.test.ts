/** The calls of a card: what is sent, what comes back, and the problems that a page can tell apart. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { verifyAuthentication } from '@cardwire/server'
import { expect, test } from 'vitest'
import { measureProcessorMs } from '../../test/bed/processor-time.ts'
import { proves } from '../../test/bed/proves.ts'
import { initializeWith } from '../src/initialize.ts'
import { createTestConnector, type TestCard, type TestKey } from '../src/testing/index.ts'
import { makeHolder, sign as signMessage, userExtensions } from './harness/authority.ts'
import { failureOf } from './harness/failure.ts'
import { openPage } from './harness/page.ts'
import { info, noKey, startScriptedServer } from './harness/scripted-server.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const digest = new Uint8Array(32).fill(7)
const der = (byte: number) => Uint8Array.from([0x30, 0x01, byte])

const keys: TestKey[] = [
  { id: '9A', purpose: 'authentication', certificate: der(1) },
  {
    id: '9C',
    purpose: 'signature',
    certificate: der(200),
    subject: 'CN=Zoë',
    sign: (signed) =>
      sign('sha256', signed.digest, {
        key: privateKey,
        dsaEncoding: signed.format === 'der' ? 'der' : 'ieee-p1363',
      }),
  },
]

async function open(card: TestCard = { atr: '3B00', modules: ['piv'], keys }) {
  const connector = createTestConnector({ readers: [{ id: 'a', card }] })
  const client = await connector.initialize()
  return { connector, client, card: client.card(await client.reader('a')) }
}

test('certificates are those of the card, all or for one purpose, with DER as bytes', async () => {
  const { card } = await open()
  expect(await card.certificates()).toEqual([
    {
      ...{ id: '9A', purpose: 'authentication', der: der(1), subject: 'CN=Test 9A' },
      ...{ issuer: 'CN=Test authority', serialNumber: '01' },
    },
    expect.objectContaining({ id: '9C', purpose: 'signature', der: der(200), subject: 'CN=Zoë' }),
  ])
  const signing = await card.certificates({ purpose: 'signature' })
  expect(signing.map(({ id }) => id)).toEqual(['9C'])
  expect(await card.certificates({ purpose: 'encryption' })).toEqual([])
})

test('sign takes every hash that the card has, by the name that hashes gives it', async () => {
  const own = keys.map((key) => ({ ...key, hashes: ['SHA-384', 'SHA-256'] as const }))
  const { connector, card } = await open({ atr: '3B00', modules: ['piv'], keys: own })
  const hashes = await card.hashes()
  expect(hashes).toEqual(['SHA-384', 'SHA-256'])
  for (const hash of hashes) {
    await card.sign({ hash, digest: new Uint8Array(await crypto.subtle.digest(hash, digest)) })
    expect(connector.requests.at(-1)?.body).toMatchObject({ algorithm: hash })
  }
})

test('a certificate has the authorities behind it that the card has, its issuer first', async () => {
  proves('belgian-certificates')
  const authority = (role: 'root' | 'intermediate', name: string, byte: number, issuer = name) => ({
    ...{ role, certificate: der(byte), subject: name, issuer },
  })
  const authorities = [
    authority('root', 'CN=Root', 3),
    authority('intermediate', 'CN=Other', 4, 'CN=Root'),
    authority('intermediate', 'CN=Test authority', 5, 'CN=Root'),
  ]
  const own = keys.map((key) => (key.id === '9C' ? { ...key, issuer: 'CN=Nobody' } : key))
  const { card } = await open({ atr: '3B98', modules: ['beid'], keys: own, authorities })
  const [first, second] = await card.certificates()
  expect(first?.chain).toEqual([der(5), der(3)])
  expect(second?.chain).toEqual([])
  const [signing] = await card.certificates({ purpose: 'signature' })
  expect(signing).toMatchObject({ id: '9C', chain: [] })
})

test('sign sends key, hash, digest, form and dialog, and resolves with the bytes of the signature', async () => {
  const { connector, card } = await open()
  const raw = await card.sign({ hash: 'SHA-256', digest })
  expect(raw).toHaveLength(64)
  const dialog = { language: 'nl', timeoutS: 30 } as const
  const signed = await card.sign({ key: '9C', hash: 'SHA-256', digest, format: 'der', ...dialog })
  expect(signed[0]).toBe(0x30)
  expect(connector.requests.at(-1)).toMatchObject({
    operation: 'signWithCard',
    path: '/v3/modules/piv/apps/token/readers/a/sign',
    body: {
      ...{ id: '9C', algorithm: 'SHA-256', data: Buffer.from(digest).toString('base64') },
      ...{ format: 'der', language: 'nl', timeout: 30 },
    },
  })
})

test('signAll resolves with a signature for each digest, by one request', async () => {
  proves('several-digests-one-dialog')
  const { connector, card } = await open()
  const before = connector.requests.length
  const digests = [digest, digest, digest]
  expect(await card.signAll({ hash: 'SHA-256', digests })).toHaveLength(3)
  expect(connector.requests.slice(before)).toHaveLength(1)
  const none = card.signAll({ hash: 'SHA-256', digests: [] })
  expect((await failureOf(none)).problem).toBe('input-invalid')
})

test('identity resolves with the parts that were asked for, their bytes decoded', async () => {
  proves('identity-data')
  const jpeg = Uint8Array.of(0xff, 0xd8)
  const { connector, card } = await open({
    ...{ atr: '3B00', modules: ['beid'], keys: [] },
    identity: {
      biometric: { name: 'Zoë', rawData: jpeg },
      picture: { picture: jpeg, width: 140, height: 200 },
    },
  })
  const identity = await card.identity(['picture', 'biometric'])
  expect(Object.keys(identity)).toEqual(['picture', 'biometric'])
  expect(identity.picture).toEqual({
    picture: jpeg,
    signature: new Uint8Array(),
    width: 140,
    height: 200,
  })
  expect(identity.biometric).toMatchObject({ name: 'Zoë', firstNames: '', rawData: jpeg })
  expect(connector.requests.at(-1)).toMatchObject({
    operation: 'getCardIdentity',
    path: '/v3/modules/beid/apps/token/readers/a/all-data',
    query: { filter: 'picture,biometric' },
  })
  expect(await failureOf(card.identity(['address']))).toMatchObject({
    code: '100',
    problem: 'card-mute',
    description: 'Cannot read this part of the card: address',
  })
})

test('identity of a card that says nothing about its holder, and of a user who says no, are problems', async () => {
  proves('identity-refused')
  const { connector, card } = await open()
  expect((await failureOf(card.identity(['address']))).problem).toBe('card-unsupported')
  connector.fail({ problem: 'identity-refused' })
  const refused = { code: '100', reason: 'refused', problem: 'identity-refused' }
  expect(await failureOf(card.identity(['address']))).toMatchObject({
    ...refused,
    wireCode: '604001',
  })
})

test('authenticate resolves with a token that a back end accepts for the origin of the page', async () => {
  proves('authentication')
  const user = await makeHolder({ subject: '/CN=An Vermeer', extensions: userExtensions })
  const authenticating = {
    ...({ id: '9A', purpose: 'authentication', certificate: user.der } as const),
    authenticate: (data: Uint8Array) => signMessage('ES256', user, Buffer.from(data)),
  }
  const { card } = await open({ atr: '3B00', modules: ['piv'], keys: [authenticating] })
  const nonce = 'n'.repeat(44)
  const token = await card.authenticate({ nonce })
  const options = { origin: 'https://page.test', nonce, roots: [user.certificate] }
  expect((await verifyAuthentication(token, options)).subject['CN']).toEqual(['An Vermeer'])
  const short = card.authenticate({ nonce: 'n'.repeat(43) })
  expect((await failureOf(short)).problem).toBe('input-invalid')
  const without = (await open()).card.authenticate({ nonce })
  expect((await failureOf(without)).problem).toBe('key-unsupported')
})

test.each([
  ['pin-wrong', 2, '108003'],
  ['pin-blocked', undefined, '108004'],
  ['pin-cancelled', undefined, '108005'],
  ['pin-timeout', undefined, '108006'],
  ['pin-busy', undefined, '108002'],
  ['pin-invalid', undefined, '108007'],
  ['card-changed', undefined, '702002'],
  ['dialog-unavailable', undefined, '108001'],
  ['grant-missing', undefined, '104007'],
] as const)(
  '%s is a problem with its name, tries left and code',
  async (problem, triesLeft, wireCode) => {
    proves('library-cards')
    const { connector, card } = await open()
    connector.fail({ problem, ...(triesLeft !== undefined && { triesLeft }) })
    const error = await failureOf(card.sign({ hash: 'SHA-256', digest }))
    expect(error).toMatchObject({ code: '100', reason: 'refused', problem, wireCode })
    expect(error.triesLeft).toBe(triesLeft)
  },
)

test('a key that the card does not have, and one that does not sign, are told apart', async () => {
  const { card } = await open()
  const problemOf = async (key: string) =>
    (await failureOf(card.sign({ key, hash: 'SHA-256', digest }))).problem
  expect([await problemOf('9F'), await problemOf('9A')]).toEqual(['key-unknown', 'key-unsupported'])
})

test('a reader without a card, and a card without a module, are problems without a request', async () => {
  const connector = createTestConnector({
    readers: [{ id: 'a' }, { id: 'b', card: { atr: '3B00' } }],
  })
  const client = await connector.initialize()
  const [empty, unknown] = await client.readers()
  const before = connector.requests.length
  const problemOf = async (reader = empty) =>
    reader && (await failureOf(client.card(reader).certificates()))
  expect(await problemOf(empty)).toMatchObject({ problem: 'card-absent', wireCode: '702001' })
  expect(await problemOf(unknown)).toMatchObject({
    problem: 'card-unsupported',
    wireCode: '702003',
  })
  expect(connector.requests).toHaveLength(before)
})

const reader = {
  ...{ id: 'a', name: 'A', pinpad: false },
  card: { atr: '3B00', description: [], modules: ['piv'] },
}

/** The card of a connector that answers every call with this. */
async function openScripted(data: unknown) {
  const page = openPage()
  const server = await startScriptedServer((_request, response, path) => {
    if (path === '/info') response.end(info)
    else response.end(path === '/device-key' ? noKey : JSON.stringify({ success: true, data }))
  })
  const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
  return (await initializeWith(page.ports, configuration, {})).card(reader)
}

test.each([
  ['without base64', { data: 'é' }],
  ['without a signature', {}],
])('an answer %s is malformed', async (_, data) => {
  const signed = (await openScripted(data)).sign({ hash: 'SHA-256', digest })
  expect(await failureOf(signed)).toMatchObject({ code: '900', reason: 'answer-malformed' })
})

const listOf = (certificates: readonly unknown[]) => ({
  ...{ id: '', certificate: '', certificateType: '', certificates },
})
const certificate = (subject: string, issuer: string, bytes = 3) => ({
  ...{ id: '', certificateType: '', subject, issuer, serialNumber: '' },
  certificate: Buffer.alloc(bytes).toString('base64'),
})
const repeat = <T>(item: T, length: number): T[] => Array.from({ length }, () => item)

test.each([
  ['is null', [null]],
  ['has no subject', [{ ...certificate('a', 'a'), subject: undefined }]],
  ['is one of too many', repeat(certificate('a', 'a'), 101)],
  ['is one of 20,000', repeat(certificate('a', 'a'), 20_000)],
])('a list of certificates is malformed when one of an authority %s', async (_, certificates) => {
  proves('response-huge')
  const own = listOf([certificate('', 'a')])
  for (const member of ['intermediateCertificates', 'rootCertificate']) {
    const answer = { authenticationCertificate: own, [member]: listOf(certificates) }
    const found = (await openScripted(answer)).certificates()
    expect(await failureOf(found)).toMatchObject({
      ...{ code: '900', reason: 'answer-malformed' },
      description: expect.stringContaining(`"${member}.certificates`),
    })
  }
})

test('as many certificates as a list may have cost little, also where each could issue each', async () => {
  proves('response-huge')
  const own = listOf(repeat(certificate('', 'a'), 100))
  const authorities = listOf(repeat(certificate('a', 'a', 12_000), 100))
  const card = await openScripted({
    ...{ authenticationCertificate: own, nonRepudiationCertificate: own },
    ...{ encryptionCertificate: own },
    ...{ intermediateCertificates: authorities, rootCertificate: authorities },
  })
  let lengths: readonly (number | undefined)[] = []
  const usedMs = await measureProcessorMs(async () => {
    lengths = (await card.certificates()).map(({ chain }) => chain?.length)
  })
  expect(lengths).toEqual(repeat(6, 300))
  expect(usedMs).toBeLessThan(1000)
})

test('identity gives members that only a newer connector has as they are', async () => {
  const text = Object.fromEntries(
    [...['rawData', 'signature', 'version', 'streetAndNumber', 'zipcode', 'municipality']].map(
      (name) => [name, ''],
    ),
  )
  const answer = { address: { ...text, picture: { toString: 1, valueOf: 1 } } }
  const { address } = await (await openScripted(answer)).identity(['address'])
  expect(address).toMatchObject({ zipcode: '', picture: { toString: 1 } })
})

test.each([
  [undefined, 135_000],
  [180, 195_000],
  [1, 25_000],
])(
  'a dialog of %s seconds has its time beside that of the call, and an abort ends it',
  async (timeoutS, ms) => {
    const page = openPage()
    const gone = Promise.withResolvers<void>()
    const server = await startScriptedServer((_, response, path) => {
      if (path === '/info') response.end(info)
      response.on('close', () => path.endsWith('/sign') && gone.resolve())
    })
    const configuration = { t1cApiUrl: 'http://localhost', t1cApiPort: server.port }
    const client = await initializeWith(page.ports, configuration, {})
    const controller = new AbortController()
    const path = '/v3/modules/piv/apps/token/readers/a/sign'
    const options = { hash: 'SHA-256', digest, timeoutS } as const
    const first = failureOf(client.card(reader).sign(options))
    await server.waitForRequest(path)
    expect(page.elapse(ms)).toBe(true)
    expect((await first).reason).toBe('timeout')
    const { signal } = controller
    const second = failureOf(client.card(reader).sign({ ...options, signal }))
    controller.abort()
    expect((await second).reason).toBe('aborted')
    await gone.promise
  },
)
