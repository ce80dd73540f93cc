/** Which keys sign what a page chooses without the grant `raw-authenticate`: by key usage, extended key usage and module. */
import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import * as contract from '@cardwire/protocol'
import { verifyAuthentication } from '@cardwire/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { toRawSignature } from '../../src/sandbox/card-modules/signature.ts'
import { createPivCard } from '../../src/sandbox/virtual-card/piv-card.ts'
import { signChallenge } from '../../src/sandbox/virtual-card/sign-challenge.ts'
import type { KeyStore } from '../../src/sandbox/windows-keys/key-store.ts'
import type { CardOperation } from '../../src/system/ipc/card-messages.ts'
import { keyKinds, type OpenSsl, openSsl } from '../keystore/openssl.ts'
import { createBeidCard } from './beid-card.ts'
import { type BeidFiles, makeBeidFiles } from './beid-files.ts'
import { createCardApi, pageOrigin } from './card-api.ts'
import { createOpenpgpCard } from './openpgp-card.ts'
import { createTokenProcess } from './token-in-memory.ts'

const pin = '123456'
const clientAuth = 'extendedKeyUsage=clientAuth'
const email = 'extendedKeyUsage=emailProtection'
const logOn = 'extendedKeyUsage=1.3.6.1.4.1.311.20.2.2'
const any = 'extendedKeyUsage=anyExtendedKeyUsage'
const both = 'keyUsage=critical,digitalSignature,nonRepudiation'
const digital = 'keyUsage=critical,digitalSignature'
const committing = 'keyUsage=critical,nonRepudiation'
/** OpenSSL accepts it to sign in over TLS. */
const agreeing = `${committing},keyAgreement`

/** What the certificate says, and the modules in which its key signs without the grant. */
const table: readonly (readonly [name: string, extensions: readonly string[], free: string])[] = [
  ['nothing', [], ''],
  ['clientAuth only', [clientAuth], ''],
  ['emailProtection only', [email], 'piv beid openpgp truststore'],
  ['digitalSignature', [digital], ''],
  ['digitalSignature for clientAuth', [digital, clientAuth], ''],
  ['digitalSignature for smart card logon', [digital, logOn], ''],
  ['digitalSignature for mail and Kerberos', [digital, `${email},1.3.6.1.5.2.3.4`], ''],
  ['digitalSignature for anything', [digital, any], ''],
  ['digitalSignature for mail', [digital, email], 'piv beid openpgp truststore'],
  ['digitalSignature for mail and clientAuth', [digital, `${email},clientAuth`], ''],
  ['both', [both], ''],
  ['both for clientAuth', [both, clientAuth], ''],
  ['both for clientAuth and logon', [both, `${clientAuth},1.3.6.1.4.1.311.20.2.2`], ''],
  ['both for anything', [both, any], ''],
  ['both for mail', [both, email], 'piv beid openpgp pkcs11 truststore'],
  ['nonRepudiation', [committing], 'piv beid openpgp pkcs11 truststore'],
  ['nonRepudiation for mail', [committing, email], 'piv beid openpgp pkcs11 truststore'],
  ['nonRepudiation for clientAuth', [committing, clientAuth], 'piv beid openpgp pkcs11 truststore'],
  ['nonRepudiation and keyAgreement', [agreeing], ''],
  [
    'nonRepudiation and keyAgreement for mail',
    [agreeing, email],
    'piv beid openpgp pkcs11 truststore',
  ],
  ['a key usage that cannot be read', ['2.5.29.15=DER:0500'], ''],
]

const modules = ['piv', 'beid', 'openpgp', 'pkcs11', 'truststore'] as const
type Module = (typeof modules)[number]

/** Of legacy clients, and of current ones. */
const calls = [
  ['sign', contract.signWithCard],
  ['sign_raw', contract.signDataWithCard],
  ['sign-digests', contract.signDigestsWithCard],
] as const

let openssl: OpenSsl
let beid: BeidFiles
beforeAll(async () => {
  openssl = openSsl()
  beid = await makeBeidFiles('1.8')
})
afterAll(() => openssl.close())

const createKey = (extensions: readonly string[], key: readonly string[] = keyKinds.p256) => {
  const made = openssl.certificate({
    names: [],
    key,
    extensions: ['basicConstraints=CA:FALSE', ...extensions],
  })
  return {
    certificate: new Uint8Array(new X509Certificate(made.cert).raw),
    privateKey: createPrivateKey(made.key),
  }
}
type Key = ReturnType<typeof createKey>

/** A card of the module whose key for signatures has this certificate. */
function createApi(module: Module, key: Key, grants: readonly contract.Grant[] = []) {
  const { certificate, privateKey } = key
  const more = { pin, protocol: 'T=1' } as const
  switch (module) {
    case 'piv':
      return createCardApi({ ...createPivCard({ keys: { '9C': key }, ...more }), grants })
    case 'beid': {
      const files = { ...beid.files, '5039': certificate }
      const privateKeys = { ...beid.privateKeys, signature: privateKey }
      return createCardApi({ ...createBeidCard({ ...beid, files, privateKeys, ...more }), grants })
    }
    case 'openpgp': {
      const card = { keys: { signature: privateKey }, certificates: { signature: certificate } }
      return createCardApi({ ...createOpenpgpCard({ ...card, ...more }), grants })
    }
    case 'pkcs11': {
      const runToken = createTokenProcess([{ id: 1, privateKey, certificates: [certificate] }])
      return createCardApi({ runToken, grants })
    }
    case 'truststore':
      return createCardApi({ keyStore: createStore(key), grants })
  }
}

const createStore = ({ certificate, privateKey }: Key): KeyStore => ({
  list: async (name) =>
    name === 'MY'
      ? [{ certificate: Buffer.from(certificate).toString('base64'), hasKey: true }]
      : [],
  sign: async (_, { digest }) =>
    toRawSignature(signChallenge(privateKey, 0x11, digest) ?? digest, 32),
  open: async () => undefined,
})

const message = Buffer.from('a message that a page chose')
const hashes = { beid: 'sha384' } as const
const hashOf = (module: Module) => (module === 'beid' ? hashes.beid : 'sha256')
const digestOf = (module: Module) => createHash(hashOf(module)).update(message).digest('base64')

const ids: Readonly<Record<Exclude<Module, 'truststore'>, string>> = {
  ...{ piv: '9C', beid: 'signature', openpgp: 'signature', pkcs11: '01' },
}

async function signAll(module: Module, api: ReturnType<typeof createApi>) {
  if (module === 'truststore') {
    const { certificates } = (await api.call(contract.listStoreAuthentication, { module })) as {
      certificates: readonly { readonly id: string }[]
    }
    const more = (await api.call(contract.listStoreNonRepudiation, {
      module,
    })) as typeof certificates & { certificates: typeof certificates }
    const certId = [...certificates, ...more.certificates][0]?.id
    const body = { data: digestOf(module), certId }
    return [await api.call(contract.signWithStore, { module, body })]
  }
  const body = {
    ...{ algorithm: hashOf(module), id: ids[module], data: digestOf(module) },
    digests: [digestOf(module)],
  }
  const found: unknown[] = []
  for (const [, operation] of calls) found.push(await api.call(operation, { module, body }))
  return found
}

describe.each(modules)('module %s', (module) => {
  const kind = module === 'beid' ? keyKinds.p384 : keyKinds.p256

  test.each(table)('a key whose certificate says: %s', async (_, extensions, free) => {
    proves('signature-authenticates')
    const key = createKey(extensions, kind)
    const api = createApi(module, key)
    const isFree = free.split(' ').includes(module)
    for (const found of await signAll(module, api))
      expect(found).toEqual(isFree ? expect.any(Object) : 'grant-missing')
    if (!isFree) expect(api.dialogs).toEqual([])
    const granted = createApi(module, key, ['raw-authenticate'])
    for (const found of await signAll(module, granted)) expect(found).toEqual(expect.any(Object))
  })
})

test.each(modules)('%s: a page signs no log-in at another origin', async (module) => {
  proves('signature-authenticates', 'authentication-signed-for-page')
  const key = createKey([both, clientAuth], module === 'beid' ? keyKinds.p384 : keyKinds.p256)
  const [origin, nonce] = ['https://bank.example', 'n'.repeat(44)]
  const hash = hashOf(module)
  const digest = (data: string | Uint8Array) => createHash(hash).update(data).digest()
  const data = digest(Buffer.concat([digest(origin), digest(nonce)])).toString('base64')
  const sign = async (grants: readonly contract.Grant[]) => {
    const operation = module === 'truststore' ? contract.signWithStore : contract.signWithCard
    const certId = createHash('sha256').update(key.certificate).digest('hex')
    const id = module === 'truststore' ? undefined : ids[module]
    return createApi(module, key, grants).call(operation, {
      module,
      body: { algorithm: hash, data, id, certId },
    })
  }
  expect(await sign([])).toBe('grant-missing')
  // With the grant it is one, as the documents say.
  const { data: signature } = (await sign(['raw-authenticate'])) as { data: string }
  const token = {
    unverifiedCertificate: Buffer.from(key.certificate).toString('base64'),
    algorithm: module === 'beid' ? 'ES384' : 'ES256',
    signature,
    format: 'web-eid:1.0',
    appVersion: 'urn:cardwire:connector:0',
  }
  const found = await verifyAuthentication(token, { origin, nonce, roots: [key.certificate] })
  expect(found.algorithm).toBe(token.algorithm)
})

/** The process of the card or library, whatever was decided before. */
describe.each(['piv', 'beid', 'openpgp', 'pkcs11'] as const)('the process for %s', (module) => {
  test.each([
    ['both for clientAuth', [both, clientAuth], false],
    ['nothing', [], false],
    ['nonRepudiation', [committing], true],
    ['nonRepudiation and keyAgreement', [agreeing], false],
  ] as const)('signs by itself with a key whose certificate says: %s', async (_, uses, isFree) => {
    proves('signature-authenticates')
    const key = createKey(uses, module === 'beid' ? keyKinds.p384 : keyKinds.p256)
    const { run } = createApi(module, key)
    const operation: Extract<CardOperation, { kind: 'sign' }> = {
      kind: 'sign',
      module,
      key: ids[module],
      certificate: toBase64(key.certificate),
      hash: hashOf(module),
      digests: [digestOf(module)],
    }
    expect(run(operation, pin)).toEqual(isFree ? 'signed' : { problem: 'grant-missing', pins: 0 })
    expect(run({ ...operation, mayAuthenticate: true }, pin)).toBe('signed')
  })
})

test.each(['9A', '9E'] as const)('the process for piv does not sign by itself with %s', (slot) => {
  proves('signature-authenticates', 'authentication-signed-for-page')
  const key = createKey([committing])
  const card = createPivCard({ keys: { [slot]: key }, pin, protocol: 'T=1' })
  const certificate = Buffer.from(key.certificate).toString('base64')
  const operation = { kind: 'sign', module: 'piv', key: slot, hash: 'sha256', certificate } as const
  const found = createCardApi(card).run({ ...operation, digests: [digestOf('piv')] }, pin)
  expect(found).toEqual({ problem: 'grant-missing', pins: 0 })
})

test('a token key with two certificates signs as the one that allows more, whichever a page names', async () => {
  proves('signature-authenticates')
  const { certificate, privateKey } = createKey([committing])
  const certificates = [certificate, certifyAgain(privateKey, [digital, clientAuth])]
  const runToken = createTokenProcess([{ id: 1, privateKey, certificates }])
  const api = createCardApi({ runToken })
  for (const id of ['01', '01-2']) {
    const body = { algorithm: 'sha256', data: digestOf('pkcs11'), id }
    const module = 'pkcs11'
    expect(await api.call(contract.signWithCard, { module, body })).toBe('grant-missing')
    const prepared = api.run({ kind: 'prepare', module, key: id }, '')
    const { certificate: own } = prepared as { readonly certificate: string }
    const operation = { kind: 'sign', module, key: id, hash: 'sha256', certificate: own } as const
    const found = api.run({ ...operation, digests: [digestOf(module)] }, pin)
    expect(found).toEqual({ problem: 'grant-missing', pins: 0 })
  }
  expect(api.dialogs).toEqual([])
})

/** DER of a certificate with an unknown version: no reader takes it, and it still contains the key. */
function makeUnreadable(certificate: Uint8Array): Buffer {
  const damaged = Buffer.from(certificate)
  damaged[damaged.indexOf(Buffer.from('a003020102', 'hex')) + 4] = 0x7f
  return damaged
}

test.each([
  ['holds the key, under another id', makeUnreadable, 2, 'card-mute'],
  ['has the id of the key', () => Buffer.from('no certificate'), 1, 'card-mute'],
  ['is kept elsewhere', () => Buffer.alloc(0), 1, 'card-mute'],
  ['is of another key', () => Buffer.from('no certificate'), 2, 'signed'],
] as const)('a token key beside an unreadable certificate that %s', async (...row) => {
  proves('signature-authenticates')
  const [, make, id, expected] = row
  const { certificate, privateKey } = createKey([committing])
  const runToken = createTokenProcess([
    { id: 1, privateKey, certificates: [certificate] },
    { id, privateKey: createKey([committing]).privateKey, certificates: [make(certificate)] },
  ])
  const api = createCardApi({ runToken })
  const own = toBase64(certificate)
  const module = 'pkcs11'
  const sign = { kind: 'sign', module, key: '01', hash: 'sha256', certificate: own } as const
  const operation = { ...sign, digests: [digestOf(module)] }
  const mute = { problem: 'card-mute', pins: 0 }
  expect(api.run(operation, pin)).toEqual(expected === 'signed' ? 'signed' : mute)
  expect(api.run({ ...operation, mayAuthenticate: true }, pin)).toBe('signed')
  const body = { algorithm: 'sha256', data: digestOf(module), id: '01' }
  const refused = await api.call(contract.signWithCard, { module, body })
  expect(refused === 'grant-missing').toBe(expected !== 'signed')
})

test.each([
  ['holds the key', makeUnreadable, 'grant-missing'],
  ['is of another key', () => Buffer.from('no certificate'), 'signed'],
] as const)('a key of Windows beside an unreadable certificate that %s', async (...row) => {
  proves('signature-authenticates')
  const [, make, expected] = row
  const { certificate, privateKey } = createKey([committing])
  const keyStore: KeyStore = {
    ...createStore({ certificate, privateKey }),
    list: async (name) =>
      name === 'MY'
        ? [certificate, make(certificate)].map((der) => ({
            certificate: toBase64(der),
            hasKey: true,
          }))
        : [],
  }
  const certId = createHash('sha256').update(certificate).digest('hex')
  const body = { data: digestOf('truststore'), certId }
  const api = createCardApi({ keyStore })
  const answer = await api.call(contract.signWithStore, { module: 'truststore', body })
  expect(answer === 'grant-missing').toBe(expected === 'grant-missing')
})

test('a key that Windows keeps with two certificates signs as the one that allows more', async () => {
  proves('signature-authenticates')
  const { certificate, privateKey } = createKey([committing])
  const other = certifyAgain(privateKey, [digital, clientAuth])
  const keyStore: KeyStore = {
    ...createStore({ certificate, privateKey }),
    list: async (name) =>
      name === 'MY'
        ? [certificate, other].map((der) => ({ certificate: toBase64(der), hasKey: true }))
        : [],
  }
  const certId = createHash('sha256').update(certificate).digest('hex')
  const body = { data: digestOf('truststore'), certId }
  const api = createCardApi({ keyStore })
  expect(await api.call(contract.signWithStore, { module: 'truststore', body })).toBe(
    'grant-missing',
  )
})

test.each(['piv', 'beid', 'openpgp', 'pkcs11'] as const)(
  'authentication by %s needs no grant: the connector makes what is signed',
  async (module) => {
    const key = createKey([digital, clientAuth], module === 'beid' ? keyKinds.p384 : keyKinds.p256)
    const nonce = 'n'.repeat(44)
    const api = createAuthenticationApi(module, key)
    const token = await api.call(contract.createAuthenticationToken, { module, body: { nonce } })
    const found = await verifyAuthentication(token, {
      ...{ origin: pageOrigin, nonce, roots: [key.certificate] },
    })
    expect(found.subject).toEqual({ CN: ['nobody'] })
  },
)

/** A card whose key for authentication is this one. */
function createAuthenticationApi(module: 'piv' | 'beid' | 'openpgp' | 'pkcs11', key: Key) {
  const { certificate, privateKey } = key
  const more = { pin, protocol: 'T=1' } as const
  if (module === 'piv') return createCardApi(createPivCard({ keys: { '9A': key }, ...more }))
  if (module === 'pkcs11') return createApi(module, key)
  if (module === 'openpgp') {
    const card = {
      keys: { authentication: privateKey },
      certificates: { authentication: certificate },
    }
    return createCardApi(createOpenpgpCard({ ...card, ...more }))
  }
  const files = { ...beid.files, '5038': certificate }
  const privateKeys = { ...beid.privateKeys, authentication: privateKey }
  return createCardApi(createBeidCard({ ...beid, files, privateKeys, ...more }))
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Another certificate of a key. */
function certifyAgain(privateKey: KeyObject, extensions: readonly string[]): Uint8Array {
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const all = ['basicConstraints=CA:FALSE', ...extensions].flatMap((one) => ['-addext', one])
  const args = ['req', '-x509', '-key', '/dev/stdin', '-subj', '/CN=Other', '-days', '30', ...all]
  return new Uint8Array(new X509Certificate(openssl.run(args, key)).raw)
}
