/** The time that the parts of a hostile keystore take, on Node. */
import { randomBytes } from 'node:crypto'
import { asn1 } from 'node-forge'
import { expect, test } from 'vitest'
import { decrypt } from '../../../pkcs12/decrypt.ts'
import { readDer } from '../../../pkcs12/der.ts'
import { createWorkBudget } from '../../../pkcs12/work-budget.ts'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import { openKeystore } from './open-keystore.ts'

/** PBE with SHA-1 and RC2 of 40 bits, of one round (RFC 7292 Appendix C). */
const rc2 = '301b060a2a864886f70d010c0106300d0408aabbccddeeff0011020101'

test('half a megabyte of RC2 is decrypted in a time that does not grow with its square', async () => {
  proves('keystore-hostile')
  const [begin, bytes] = [performance.now(), Buffer.alloc(512 * 1024)]
  let [last, longest] = [begin, 0]
  const turn = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  const algorithm = readDer(Buffer.from(rc2, 'hex'))
  await decrypt(algorithm, bytes, 'x', createWorkBudget()).catch(() => undefined)
  clearInterval(turn)
  // 0.6 s on two slow cores; 92 s in one piece, in which nothing else is done.
  expect(performance.now() - begin).toBeLessThan(10_000)
  expect(longest).toBeLessThan(1000)
}, 200_000)

const { Class, Type, create, oidToDer, toDer } = asn1
const { SEQUENCE, INTEGER, OCTETSTRING, OID, BITSTRING, UTCTIME, NULL } = Type

const make = (type: asn1.Type, value: string | asn1.Asn1[]) =>
  create(Class.UNIVERSAL, type, Array.isArray(value), value)
const makeOid = (oid: string) => make(OID, oidToDer(oid).getBytes())
const makeOctets = (value: asn1.Asn1) => make(OCTETSTRING, toDer(value).getBytes())
const makeTagged = (value: asn1.Asn1) => create(Class.CONTEXT_SPECIFIC, 0, true, [value])
const makeWrapped = (oid: string, value: asn1.Asn1) =>
  make(SEQUENCE, [makeOid(oid), makeTagged(value)])

/** A key of DSA without its public key, which OpenSSL computes: g^x mod p. */
function createDsaKey(bits: number) {
  const number = () => make(INTEGER, `\x01${randomBytes(bits / 8 - 1).toString('latin1')}\x01`)
  const parameters = make(SEQUENCE, [number(), number(), make(INTEGER, '\x02')])
  const algorithm = make(SEQUENCE, [makeOid('1.2.840.10040.4.1'), parameters])
  return make(SEQUENCE, [make(INTEGER, '\0'), algorithm, makeOctets(number())])
}

const rsa = make(SEQUENCE, [makeOid('1.2.840.113549.1.1.1'), make(NULL, '')])

/** A key of RSA with very many primes, all of which OpenSSL multiplies. */
function createRsaKey(primes: number) {
  const one = make(INTEGER, '\x01')
  const toNumber = (bytes: number) => make(INTEGER, '\x55'.repeat(bytes))
  const [short, long] = [toNumber(256), toNumber(50_000)]
  const others = make(SEQUENCE, Array(primes).fill(make(SEQUENCE, [one, one, one])))
  const numbers = [short, one, one, long, long, one, one, one]
  return make(SEQUENCE, [
    ...[make(INTEGER, '\0'), rsa],
    makeOctets(make(SEQUENCE, [one, ...numbers, others])),
  ])
}

/** Where a compressed point needs a square root: modulo this prime, that takes a second. */
const prime = 1401n * 2n ** 645n + 1n
const fieldBytes = Math.ceil(prime.toString(2).length / 8)
const toField = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(2 * fieldBytes, '0'), 'hex').toString('latin1')
const point = `\x02${toField(2n)}`

/** Describes a curve (RFC 3279 §2.3.5) in place of its name. */
const curve = make(SEQUENCE, [
  make(INTEGER, '\x01'),
  make(SEQUENCE, [makeOid('1.2.840.10045.1.1'), make(INTEGER, `\0${toField(prime)}`)]),
  make(SEQUENCE, [make(OCTETSTRING, toField(5n)), make(OCTETSTRING, toField(7n))]),
  ...[make(OCTETSTRING, point), make(INTEGER, `\0${toField(prime - 2n)}`), make(INTEGER, '\x01')],
])
const ec = makeOid('1.2.840.10045.2.1')
const p256 = makeOid('1.2.840.10045.3.1.7')

function createCertificate() {
  const signing = make(SEQUENCE, [makeOid('1.2.840.10045.4.3.2')])
  const [name, time] = [make(SEQUENCE, []), make(UTCTIME, '260101000000Z')]
  const key = make(SEQUENCE, [make(SEQUENCE, [ec, curve]), make(BITSTRING, `\0${point}`)])
  const numbers = [makeTagged(make(INTEGER, '\x02')), make(INTEGER, '\x01')]
  const signed = [...numbers, signing, name, make(SEQUENCE, [time, time]), name, key]
  return make(SEQUENCE, [make(SEQUENCE, signed), signing, make(BITSTRING, '\0')])
}

const createEcKey = (named: asn1.Asn1, ...more: asn1.Asn1[]) =>
  make(SEQUENCE, [
    ...[make(INTEGER, '\0'), make(SEQUENCE, [ec, named])],
    makeOctets(make(SEQUENCE, [make(INTEGER, '\x01'), make(OCTETSTRING, '\x07'), ...more])),
  ])

const keyBag = (key: asn1.Asn1) => makeWrapped('1.2.840.113549.1.12.10.1.1', key)
const certificateBag = (certificate: asn1.Asn1) =>
  makeWrapped(
    '1.2.840.113549.1.12.10.1.3',
    makeWrapped('1.2.840.113549.1.9.22.1', makeOctets(certificate)),
  )

function createKeystore(bags: asn1.Asn1[]) {
  const data = '1.2.840.113549.1.7.1'
  const safe = make(SEQUENCE, [makeWrapped(data, makeOctets(make(SEQUENCE, bags)))])
  const keystore = make(SEQUENCE, [make(INTEGER, '\x03'), makeWrapped(data, makeOctets(safe))])
  return new Uint8Array(Buffer.from(toDer(keystore).getBytes(), 'latin1'))
}

const nameless = 'one of its keys is on a curve without a name'

test.each([
  // 4 s of the main thread for 6 kB, and with every doubling eight times as long.
  ['of DSA', [keyBag(createDsaKey(16_384))], 'its key is 1.2.840.10040.4.1, and not RSA or EC'],
  // 3 s, and in half a megabyte a minute.
  ['of RSA with many primes', [keyBag(createRsaKey(4000))], 'its key has more than two primes'],
  // A second each.
  ['on a described curve', Array(8).fill(keyBag(createEcKey(curve))), nameless],
  [
    'on a curve that it describes within',
    Array(8).fill(keyBag(createEcKey(p256, makeTagged(curve)))),
    nameless,
  ],
  // As long as 128 of them take: two minutes.
  ['of a certificate', Array(8).fill(certificateBag(createCertificate())), nameless],
])(
  'a key %s that takes seconds to read is refused by its form',
  async (_, bags, reason) => {
    proves('keystore-hostile')
    const file = createKeystore(bags)
    const { signal } = new AbortController()
    const open = () => openKeystore(file, 'x', { now: Date.now(), signal })
    expect(await measureProcessorMs(open)).toBeLessThan(1000)
    expect(await open()).toEqual({ kind: 'refused', problem: 'keystore-unusable', reason })
  },
  60_000,
)
