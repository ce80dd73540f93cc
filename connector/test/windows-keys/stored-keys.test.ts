/** Which certificates that the system keeps are listed for what, and by which a signature is made when a page names none. */
import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { listByPurpose, listFor } from '../../src/api/stored-certificates.ts'
import { chooseOwn, requireOwn, requireSigning } from '../../src/api/stored-key.ts'
import type { StoredCertificate } from '../../src/sandbox/windows-keys/certificate-store.ts'
import type { KeyStore } from '../../src/sandbox/windows-keys/key-store.ts'
import { keyKinds, type OpenSsl, openSsl } from '../keystore/openssl.ts'

const signs = ['keyUsage=nonRepudiation']
const logsIn = ['keyUsage=digitalSignature', 'extendedKeyUsage=clientAuth']
const encrypts = ['keyUsage=keyEncipherment']
const now = Date.now()

let openssl: OpenSsl
beforeAll(() => {
  openssl = openSsl()
})
afterAll(() => openssl.close())

interface Order {
  readonly extensions?: readonly string[]
  readonly days?: number
  readonly key?: readonly string[]
}

const create = (order: Order = {}) => {
  const { raw, fingerprint256 } = new X509Certificate(openssl.certificate(order).cert)
  const id = fingerprint256.replaceAll(':', '')
  return { id, stored: { certificate: raw.toString('base64'), hasKey: true } }
}

/** A store whose keys nobody uses here. */
const createStore = (...own: readonly StoredCertificate[]): KeyStore => ({
  list: async (name) => (name === 'MY' ? own : []),
  sign: async () => 'unsupported',
  open: async () => 'unsupported',
})

describe('without an id a signature is made', () => {
  test('by the only certificate that is for it and valid now', async () => {
    const [signer, login] = [create({ extensions: signs }), create({ extensions: logsIn })]
    const old = create({ extensions: signs, days: -1 })
    const store = createStore(old.stored, login.stored, signer.stored)
    const toId = async (purpose: 'authentication' | 'non-repudiation') =>
      (await chooseOwn(store, undefined, purpose, now)).fingerprint.toUpperCase()
    expect([await toId('non-repudiation'), await toId('authentication')]).toEqual([
      signer.id,
      login.id,
    ])
    expect((await chooseOwn(store, old.id, 'non-repudiation', now)).fingerprint).toBe(
      old.id.toLowerCase(),
    )
  })

  test('by none where several fit, or none: the problem names the field', async () => {
    const several = createStore(
      create({ extensions: signs }).stored,
      create({ extensions: signs }).stored,
    )
    for (const [store, message] of [
      [several, 'expected the id of one of 2 certificates for non-repudiation'],
      [createStore(), 'there is no valid certificate for non-repudiation'],
    ] as const) {
      await expect(chooseOwn(store, null, 'non-repudiation', now)).rejects.toMatchObject({
        name: 'key-unknown',
        extras: { errors: [{ path: 'certId', message }] },
      })
    }
  })
})

const broken = { certificate: Buffer.from('broken').toString('base64'), hasKey: true }

test('a certificate that cannot be read is not absent: nothing is listed or chosen as if there were none', async () => {
  proves('card-unreadable')
  const { id, stored } = create({ extensions: signs })
  const unavailable = { name: 'store-unavailable' }
  const [unreadable, partly] = [createStore(broken), createStore(broken, stored)]
  for (const purpose of ['authentication', 'non-repudiation', 'encryption'] as const)
    await expect(listFor(unreadable, purpose)).rejects.toMatchObject(unavailable)
  await expect(listByPurpose(unreadable, [])).rejects.toMatchObject(unavailable)
  await expect(requireOwn(unreadable, id, 'id')).rejects.toMatchObject(unavailable)
  for (const purpose of ['authentication', 'non-repudiation'] as const)
    await expect(chooseOwn(unreadable, null, purpose, now)).rejects.toMatchObject(unavailable)

  expect(Object.keys(await listByPurpose(partly, []))).toEqual(['nonRepudiationCertificate'])
  await expect(listFor(partly, 'authentication')).rejects.toMatchObject(unavailable)
  await expect(chooseOwn(partly, null, 'authentication', now)).rejects.toMatchObject(unavailable)
  expect((await chooseOwn(partly, null, 'non-repudiation', now)).fingerprint).toBe(id.toLowerCase())
})

test.each(['CA', 'ROOT'] as const)(
  'a certificate of an authority that cannot be read (%s) is not absent',
  async (name) => {
    proves('card-unreadable')
    const { stored } = create({})
    const purpose = name === 'CA' ? 'intermediate' : 'root'
    const list = (...all: readonly StoredCertificate[]) =>
      listFor({ list: async (storeName) => (storeName === name ? all : []) }, purpose)
    await expect(list(broken)).rejects.toMatchObject({ name: 'store-unavailable' })
    expect(await list(broken, stored)).toHaveLength(1)
    expect(await list()).toEqual([])
  },
)

test('a certificate without its key is none of the user', async () => {
  const { id, stored } = create({ extensions: signs })
  const store = createStore({ ...stored, hasKey: false }, { ...broken, hasKey: false })
  expect(await listFor(store, 'non-repudiation')).toEqual([])
  await expect(requireOwn(store, id, 'id')).rejects.toMatchObject({ name: 'key-unknown' })
})

test('the list by purpose reads each store once', async () => {
  const names: string[] = []
  const store = createStore(create({ extensions: signs }).stored)
  const list: KeyStore['list'] = (name) => {
    names.push(name)
    return store.list(name)
  }
  await listByPurpose({ ...store, list }, [])
  expect(names.toSorted()).toEqual(['CA', 'MY', 'ROOT'])
})

test('what there is none of is absent from the list by purpose', async () => {
  const store = createStore(create({ extensions: encrypts }).stored)
  expect(Object.keys(await listByPurpose(store, []))).toEqual(['encryptionCertificate'])
  expect(await listByPurpose(store, ['rootCertificate'])).toEqual({})
})

test.each([
  ['RSA', keyKinds.rsa, 'RSA-2048'],
  ['P-256', keyKinds.p256, 'P-256'],
  ['P-384', keyKinds.p384, 'P-384'],
])('a key of %s signs', async (_, key, type) => {
  const { id, stored } = create({ extensions: signs, key })
  expect(requireSigning(await requireOwn(createStore(stored), id, 'id'))).toBe(type)
})

test.each([
  ['of another curve', { extensions: signs, key: keyKinds.p521 }],
  ['to encrypt with', { extensions: encrypts }],
])('a key %s does not sign', async (_, order) => {
  const { id, stored } = create(order)
  const own = await requireOwn(createStore(stored), id, 'id')
  expect(() => requireSigning(own)).toThrow(expect.objectContaining({ name: 'key-unsupported' }))
})
