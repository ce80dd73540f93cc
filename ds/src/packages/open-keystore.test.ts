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
const { SEQUENCE, INTEGER, OCTETSTRING, OID } = Type

const make = (type: asn1.Type, value: string | asn1.Asn1[]) =>
  create(Class.UNIVERSAL, type, Array.isArray(value), value)
const makeOid = (oid: string) => make(OID, oidToDer(oid).getBytes())
const makeOctets = (value: asn1.Asn1) => make(OCTETSTRING, toDer(value).getBytes())
const makeWrapped = (oid: string, value: asn1.Asn1) =>
  make(SEQUENCE, [makeOid(oid), create(Class.CONTEXT_SPECIFIC, 0, true, [value])])

/** A key of DSA without its public key, which OpenSSL computes: g^x mod p. */
function createDsaKey(bits: number) {
  const number = () => make(INTEGER, `\x01${randomBytes(bits / 8 - 1).toString('latin1')}\x01`)
  const parameters = make(SEQUENCE, [number(), number(), make(INTEGER, '\x02')])
  const algorithm = make(SEQUENCE, [makeOid('1.2.840.10040.4.1'), parameters])
  return make(SEQUENCE, [make(INTEGER, '\0'), algorithm, makeOctets(number())])
}

test('a key that takes seconds to read is refused by its kind', async () => {
  proves('keystore-hostile')
  const data = '1.2.840.113549.1.7.1'
  const bags = make(SEQUENCE, [makeWrapped('1.2.840.113549.1.12.10.1.1', createDsaKey(16_384))])
  const safe = make(SEQUENCE, [makeWrapped(data, makeOctets(bags))])
  const keystore = make(SEQUENCE, [make(INTEGER, '\x03'), makeWrapped(data, makeOctets(safe))])
  const file = new Uint8Array(Buffer.from(toDer(keystore).getBytes(), 'latin1'))
  const { signal } = new AbortController()
  const open = () => openKeystore(file, 'x', { now: Date.now(), signal })
  // 4 s of the main thread for 6 kB, and with every doubling eight times as long.
  expect(await measureProcessorMs(open)).toBeLessThan(1000)
  expect(await open()).toEqual({
    kind: 'refused',
    problem: 'keystore-unusable',
    reason: 'its key is 1.2.840.10040.4.1, and not RSA or EC',
  })
}, 60_000)
