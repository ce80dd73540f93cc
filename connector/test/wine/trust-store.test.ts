/** Certificates and signatures of the keys that Windows keeps, as far as Wine has them: the connector for Windows, its user, a page. */
import { createHash, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { type Session, startX11 } from '../desktop/session.ts'
import { consentSettings, giveConsent } from './give-consent.ts'
import { runProgram } from './run-program.ts'
import { createStoredKey, type StoredKey } from './stored-keys.ts'
import { buildWindowsConnector, type RunningConnector } from './windows-connector.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

const place = '/v3/modules/truststore'
const shop = 'https://shop.pages.example'
const granted = 'https://granted.pages.example'
const message = Buffer.from('a message that is signed')
const digest = (hash: string) => createHash(hash).update(message).digest('base64')

interface Answer {
  readonly success: boolean
  // biome-ignore lint/suspicious/noExplicitAny: what an answer has is what the tests are about
  readonly data: any
  readonly code?: string
  readonly description?: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
}

let folder = ''
let session: Session
let wine: Wine
let running: RunningConnector
const keys = {
  login: createStoredKey('login', {
    usage: ['keyUsage=digitalSignature', 'extendedKeyUsage=clientAuth'],
  }),
  signer: createStoredKey('signer', { usage: ['keyUsage=nonRepudiation'] }),
  expired: createStoredKey('expired', { usage: ['keyUsage=nonRepudiation'], days: -2 }),
  mail: createStoredKey('mail', { usage: ['keyUsage=keyEncipherment'] }),
  stranger: createStoredKey('stranger', { hasKey: false }),
  between: createStoredKey('between', { store: 'CA' }),
  root: createStoredKey('root', { store: 'ROOT' }),
} satisfies Readonly<Record<string, StoredKey>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-truststore-'))
  const order = join(folder, 'keys.json')
  await writeFile(order, JSON.stringify(Object.values(keys).map(({ entry }) => entry)))
  const cards = join(folder, 'cards.json')
  const grants = [{ origin: granted, allow: ['raw-authenticate'] }]
  await writeFile(cards, JSON.stringify({ grants }), { mode: 0o600 })
  session = await startX11()
  wine = await openWine(join(folder, 'prefix'))
  expect(await runProgram(wine, './import-program.ts', [windowsPath(order)])).toBe('done')
  // Its desktop has no display: the connector starts another one.
  await wine.stop()
  const connector = await buildWindowsConnector(wine, join(folder, 'program'), {
    DISPLAY: session.environment['DISPLAY'] ?? '',
    ...consentSettings,
    CARDWIRE_API_PORTS: '26200-26999',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    CARDWIRE_CARDS: windowsPath(cards),
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
  })
  running = await connector.run()
  for (const origin of [shop, granted]) await giveConsent(session, running, origin)
})
afterAll(async () => {
  await running?.stop()
  await wine?.stop()
  await session?.stop()
  await rm(folder, { recursive: true, force: true })
})

const ask = async (origin: string, path: string, body?: object) =>
  (await running.asPage(origin, path, body)) as Answer
const get = (path: string) => ask(shop, `${place}/${path}`)
const post = (path: string, body: object = {}, origin = shop) =>
  ask(origin, `${place}/${path}`, body)

/** Answers the question of the connector, when it is there: y or n, as Windows names its buttons. */
async function answer(key: 'y' | 'n'): Promise<void> {
  await session.windows.press('^Cardwire$', `alt+${key}`)
}

const idsOf = ({ data }: Answer): readonly string[] =>
  data.certificates.map(({ id }: { id: string }) => id)

describe('a page with consent', () => {
  test('lists the certificates of the user by what they are for, and those of authorities', async () => {
    proves('windows-keys-listed', 'windows-certificates-identify')
    expect(idsOf(await get('certs-authentication'))).toEqual([keys.login.id])
    expect(idsOf(await get('certs-non-repudiation')).toSorted()).toEqual(
      [keys.signer.id, keys.expired.id].toSorted(),
    )
    expect(idsOf(await get('certs-encryption'))).toEqual([keys.mail.id])
    expect(idsOf(await get('certs-intermediate'))).toContain(keys.between.id)
    expect(idsOf(await get('certs-root'))).toContain(keys.root.id)
    const { data } = await get('certs-list')
    expect(Object.keys(data).toSorted()).toEqual([
      ...['authenticationCertificate', 'encryptionCertificate', 'intermediateCertificates'],
      ...['nonRepudiationCertificate', 'rootCertificate'],
    ])
    expect(JSON.stringify(data)).not.toContain(keys.stranger.id)
    const filtered = await get('certs-list?filter=authenticationCertificate,rootCertificate')
    expect(Object.keys(filtered.data)).toEqual(['authenticationCertificate', 'rootCertificate'])
  })

  test('reads one certificate and its algorithms by its id; another id is a problem of its field', async () => {
    proves('windows-keys-listed')
    const { certificate, id } = keys.login
    expect((await post('certs', { id: id.toLowerCase() })).data).toEqual({
      ...{ id, certificate: certificate.raw.toString('base64'), certificateType: 'authentication' },
      ...{ subject: 'CN=login.example', issuer: 'CN=login.example' },
      serialNumber: certificate.serialNumber,
    })
    expect((await get(`certs/${id}/supported-algorithms`)).data.ref).toContain('sha256')
    const unknown = await post('certs', { id: keys.stranger.id })
    expect([unknown.code, unknown.errors?.[0]?.path]).toEqual(['202001', 'id'])
  })

  test.each(['sha256', 'sha512'])(
    'gets a signature of a %s digest by the only valid certificate, after the yes of the user',
    async (hash) => {
      proves('windows-keys-sign')
      const signing = post('sign?bulk=true', { data: digest(hash) })
      await answer('y')
      const { data, description } = await signing
      expect(description).toBeUndefined()
      const signature = Buffer.from(data.data, 'base64')
      expect(verify(hash, message, keys.signer.certificate.publicKey, signature)).toBe(true)
    },
  )

  test('gets no signature by a certificate to authenticate with, and nobody is asked', async () => {
    proves('windows-key-authentication')
    for (const [operation, certId] of [
      ['authenticate', undefined],
      ['sign', keys.login.id],
    ] as const) {
      const { code, description } = await post(operation, { data: digest('sha256'), certId })
      expect([code, description]).toEqual(['104007', expect.stringContaining('raw-authenticate')])
    }
  })

  test('gets none by one to encrypt with, of data that is no digest, or where several fit', async () => {
    const data = digest('sha256')
    expect((await post('sign', { data, certId: keys.mail.id })).code).toBe('202002')
    const short = await post('sign', { data: Buffer.from('short').toString('base64') })
    expect([short.code, short.errors?.[0]?.path]).toEqual(['106004', 'data'])
  })

  test('learns whether a key can be used after the yes of the user; nothing is kept', async () => {
    proves('windows-keys-sign')
    const verifying = post('verify-pin', { certId: keys.signer.id, pin: '1234' })
    await answer('y')
    expect((await verifying).data).toBe(true)
    expect((await post('reset-bulk-pin')).data).toBe(true)
  })
})

test('a page with the grant authenticates with the key, after the yes of the user', async () => {
  proves('windows-keys-sign')
  const signing = post('authenticate', { data: digest('sha256') }, granted)
  await answer('y')
  const signature = Buffer.from((await signing).data.data, 'base64')
  expect(verify('sha256', message, keys.login.certificate.publicKey, signature)).toBe(true)
})

test('a user who says no gives no signature, and is not asked again at once', async () => {
  proves('windows-key-silent')
  const signing = post('sign', { data: digest('sha256') })
  await answer('n')
  expect((await signing).code).toBe('108005')
  expect((await post('sign', { data: digest('sha256') })).code).toBe('108005')
})

test('every signature and check of a key is a use of the module', async () => {
  proves('windows-keys-sign')
  const { data } = (await running.get('/ds/transactions')) as Answer
  const uses = data.map(({ module, useCase, counter }: Record<string, unknown>) => [
    ...[module, useCase, counter],
  ])
  expect(uses.toSorted()).toEqual([
    ['truststore', 'authentication', 1],
    ['truststore', 'pin-verification', 1],
    ['truststore', 'signature', 2],
  ])
})

test('a key of CNG signs digests of each hash, as far as Wine keeps one: in memory', async () => {
  proves('windows-keys-sign')
  const { publicKey, signatures } = JSON.parse(await runProgram(wine, './cng-program.ts'))
  const key = readRsaBlob(Buffer.from(publicKey, 'base64'))
  for (const [at, hash] of ['sha1', 'sha256', 'sha384', 'sha512'].entries()) {
    const signature = Buffer.from(signatures[at], 'base64')
    expect([hash, verify(hash, Buffer.from('a message'), key, signature)]).toEqual([hash, true])
  }
})

/** BCRYPT_RSAKEY_BLOB of bcrypt.h: magic, bits, lengths of exponent, modulus and primes; exponent and modulus. */
function readRsaBlob(blob: Buffer) {
  const header = 24
  const [exponent, modulus] = [blob.readUInt32LE(8), blob.readUInt32LE(12)]
  const part = (from: number, length: number) =>
    blob.subarray(from, from + length).toString('base64url')
  const n = part(header + exponent, modulus)
  return { key: { kty: 'RSA', e: part(header, exponent), n }, format: 'jwk' } as const
}
