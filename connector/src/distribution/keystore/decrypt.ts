/** Decrypts parts of a keystore with its password: PBES2 (RFC 8018 §6.2), and the older schemes of RFC 7292 App. C. */
import { createDecipheriv, pbkdf2Sync } from 'node:crypto'
import {
  type DerNode,
  isOctetString,
  readChildren,
  readInteger,
  readOctets,
  readOid,
} from './der.ts'
import { type Digest, deriveBytes, hashes, purposes } from './key-derivation.ts'
import { KeystoreRefused } from './keystore-refused.ts'
import type { WorkBudget } from './work-budget.ts'

interface Cipher {
  readonly name: string
  /** Bytes. */
  readonly key: number
}

/** RFC 7292 Appendix C: their keys are derived by the function of PKCS#12, with SHA-1. */
const legacyCiphers: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.1.12.1.3': { name: 'des-ede3-cbc', key: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des-ede-cbc', key: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2-cbc', key: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2-40-cbc', key: 5 },
}

const pbes2 = '1.2.840.113549.1.5.13'
const pbkdf2Oid = '1.2.840.113549.1.5.12'

/** RFC 8018 Appendix B.1.2. */
const digests: Readonly<Record<string, Digest>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

/** NIST CSOR, and RFC 8018 Appendix B.2.2. */
const pbes2Ciphers: Readonly<Record<string, Cipher>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', key: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', key: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', key: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', key: 24 },
}

/** `algorithm` is the AlgorithmIdentifier in front of the bytes. Throws KeystoreRefused. */
export function decrypt(
  algorithm: DerNode,
  bytes: Buffer,
  password: string,
  budget: WorkBudget,
): Buffer {
  const [oid, parameters] = readChildren(algorithm)
  const scheme = readOid(oid)
  const { cipher, key, iv } =
    scheme === pbes2
      ? derivePbes2Key(readChildren(parameters), password, budget)
      : deriveLegacyKey(scheme, readChildren(parameters), password, budget)
  try {
    const decipher = createDecipheriv(cipher.name, key, iv)
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch {
    throw new KeystoreRefused('its password is wrong, or the file is damaged')
  }
}

function deriveLegacyKey(
  scheme: string,
  [salt, iterationCount]: readonly DerNode[],
  password: string,
  budget: WorkBudget,
) {
  const cipher = lookUp(legacyCiphers, scheme)
  const derivation = {
    digest: 'sha1',
    password,
    salt: readOctets(salt),
    iterations: readInteger(iterationCount),
  } as const
  return {
    cipher,
    key: deriveBytes({ ...derivation, purpose: purposes.key, length: cipher.key }, budget),
    iv: deriveBytes({ ...derivation, purpose: purposes.iv, length: 8 }, budget),
  }
}

function derivePbes2Key(
  [derivation, encryption]: readonly DerNode[],
  password: string,
  budget: WorkBudget,
) {
  const [kdf, kdfParameters] = readChildren(derivation)
  if (readOid(kdf) !== pbkdf2Oid) throw unsupportedError(readOid(kdf))
  const [salt, iterationCount, ...more] = readChildren(kdfParameters)
  if (!isOctetString(salt)) throw unsupportedError('a salt that is not in the file')
  const iterations = readInteger(iterationCount)
  // After the iterations come the key length, which the cipher determines too, and the hash function: SHA-1 when absent.
  const prf = more.find((part) => Array.isArray(part.value))
  const digest = prf === undefined ? 'sha1' : lookUp(digests, readOid(readChildren(prf)[0]))
  const [oid, iv] = readChildren(encryption)
  const cipher = lookUp(pbes2Ciphers, readOid(oid))
  const saltBytes = readOctets(salt)
  const blocks = Math.ceil(cipher.key / hashes[digest].output)
  budget.spend({ iterations, blocks, saltBytes: saltBytes.length })
  const key = pbkdf2Sync(password, saltBytes, iterations, cipher.key, digest)
  return { cipher, key, iv: readOctets(iv) }
}

function lookUp<T>(table: Readonly<Record<string, T>>, oid: string): T {
  const found = Object.hasOwn(table, oid) ? table[oid] : undefined
  if (found === undefined) throw unsupportedError(oid)
  return found
}

const unsupportedError = (what: string) =>
  new KeystoreRefused(`it is encrypted with an unknown algorithm: ${what}`)
