/** Decrypts parts of a keystore with its password: PBES2 (RFC 8018 §6.2), and the older schemes of RFC 7292 App. C. */
import { createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import forge from 'node-forge'
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
  readonly name: 'aes' | 'des' | 'rc2'
  /** Bytes. */
  readonly key: number
}

/** RFC 7292 Appendix C: their keys are derived by the function of PKCS#12, with SHA-1. */
const legacyCiphers: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.1.12.1.3': { name: 'des', key: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des', key: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2', key: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2', key: 5 },
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
  '2.16.840.1.101.3.4.1.2': { name: 'aes', key: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes', key: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes', key: 32 },
  '1.2.840.113549.3.7': { name: 'des', key: 24 },
}

/** `algorithm` is the AlgorithmIdentifier in front of the bytes. Throws KeystoreRefused. */
export async function decrypt(
  algorithm: DerNode,
  bytes: Buffer,
  password: string,
  budget: WorkBudget,
): Promise<Buffer> {
  const [oid, parameters] = readChildren(algorithm)
  const scheme = readOid(oid)
  const { cipher, key, iv } = await (scheme === pbes2
    ? derivePbes2Key(readChildren(parameters), password, budget)
    : deriveLegacyKey(scheme, readChildren(parameters), password, budget))
  // Each part takes some time, however few its rounds are.
  await budget.pause(roundsPerPart)
  try {
    return await decipher[cipher.name](key, iv, bytes, budget)
  } catch {
    budget.throwIfAborted()
    throw new KeystoreRefused('its password is wrong, or the file is damaged', 'locked')
  }
}

const roundsPerPart = 100

type Decipher = (
  key: Buffer,
  iv: Buffer,
  bytes: Buffer,
  budget: WorkBudget,
) => Buffer | Promise<Buffer>

/** CBC, with the padding removed; they throw where that is none. Each is one that Node, Deno, Bun and Workers have. */
const decipher: Readonly<Record<Cipher['name'], Decipher>> = {
  async aes(key, iv, bytes) {
    const name = 'AES-CBC'
    const imported = await crypto.subtle.importKey('raw', Uint8Array.from(key), name, false, [
      'decrypt',
    ])
    const parameters = { name, iv: Uint8Array.from(iv) }
    return Buffer.from(await crypto.subtle.decrypt(parameters, imported, Uint8Array.from(bytes)))
  },
  des(key, iv, bytes) {
    // Of two keys the first is the third one, too.
    const three = key.length === 16 ? Buffer.concat([key, key.subarray(0, 8)]) : key
    const cipher = createDecipheriv('des-ede3-cbc', three, iv)
    return Buffer.concat([cipher.update(bytes), cipher.final()])
  },
  async rc2(key, iv, bytes, budget) {
    const toBuffer = (part: Buffer) => forge.util.createBuffer(part.toString('latin1'))
    const plain: string[] = []
    // Piece by piece: its time grows with the square of what one cipher has decrypted. The IV of a piece is the block before it.
    for (let at = 0, before = iv; at < bytes.length; at += rc2PieceBytes) {
      const piece = bytes.subarray(at, at + rc2PieceBytes)
      const cipher = forge.rc2.createDecryptionCipher(toBuffer(key), key.length * 8)
      cipher.start(toBuffer(before))
      cipher.update(toBuffer(piece))
      if (at + rc2PieceBytes >= bytes.length && !cipher.finish())
        throw new Error('Cannot decrypt: there is no padding')
      plain.push(cipher.output.getBytes())
      before = piece.subarray(-8)
      await budget.pause(rc2PieceRounds)
    }
    return Buffer.from(plain.join(''), 'latin1')
  },
}

const rc2PieceBytes = 2048
/** A piece takes some milliseconds. */
const rc2PieceRounds = 1000

async function deriveLegacyKey(
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
    key: await deriveBytes({ ...derivation, purpose: purposes.key, length: cipher.key }, budget),
    iv: await deriveBytes({ ...derivation, purpose: purposes.iv, length: 8 }, budget),
  }
}

async function derivePbes2Key(
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
  const key = await promisify(pbkdf2)(password, saltBytes, iterations, cipher.key, digest).catch(
    () => {
      // Cloudflare allows 100,000.
      throw unreadableError(
        `its password takes ${iterations} iterations, more than this system allows: make it with fewer`,
      )
    },
  )
  return { cipher, key, iv: readOctets(iv) }
}

function lookUp<T>(table: Readonly<Record<string, T>>, oid: string): T {
  const found = Object.hasOwn(table, oid) ? table[oid] : undefined
  if (found === undefined) throw unsupportedError(oid)
  return found
}

const unsupportedError = (what: string) =>
  unreadableError(`it is encrypted with an unknown algorithm: ${what}`)
const unreadableError = (reason: string) => new KeystoreRefused(reason, 'unreadable')
