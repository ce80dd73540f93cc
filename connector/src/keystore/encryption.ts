/** Undoes what a password did to parts of a keystore: PBES2 (RFC 8018 §6.2), and the older schemes of RFC 7292 App. C. */
import { createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { isOctets, type Node, numberOf, octetsOf, oidOf, partsOf } from './der.ts'
import { boundIterations, deriveBytes, purposes } from './derivation.ts'
import { KeystoreRefused } from './refusal.ts'

const derive = promisify(pbkdf2)

interface Cipher {
  readonly name: string
  /** Bytes. */
  readonly key: number
}

/** RFC 7292 Appendix C: what is derived by PKCS#12's own function, with SHA-1. */
const legacy: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.1.12.1.3': { name: 'des-ede3-cbc', key: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des-ede-cbc', key: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2-cbc', key: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2-40-cbc', key: 5 },
}

const pbes2 = '1.2.840.113549.1.5.13'
const pbkdf2Oid = '1.2.840.113549.1.5.12'

/** RFC 8018 Appendix B.1.2. */
const digests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

/** NIST CSOR, and RFC 8018 Appendix B.2.2. */
const ciphers: Readonly<Record<string, Cipher>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', key: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', key: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', key: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', key: 24 },
}

/** `algorithm` is the AlgorithmIdentifier that stands before the bytes. Throws KeystoreRefused. */
export async function decrypt(algorithm: Node, bytes: Buffer, password: string): Promise<Buffer> {
  const [oid, parameters] = partsOf(algorithm)
  const scheme = oidOf(oid)
  const { cipher, key, iv } =
    scheme === pbes2
      ? await modernKey(partsOf(parameters), password)
      : await legacyKey(scheme, partsOf(parameters), password)
  try {
    const decipher = createDecipheriv(cipher.name, key, iv)
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch {
    throw new KeystoreRefused('its password is another one, or the file is damaged')
  }
}

async function legacyKey(scheme: string, [salt, rounds]: readonly Node[], password: string) {
  const cipher = known(legacy, scheme)
  const from = {
    ...({ digest: 'sha1', password, salt: octetsOf(salt), iterations: numberOf(rounds) } as const),
  }
  return {
    cipher,
    key: await deriveBytes({ ...from, purpose: purposes.key, length: cipher.key }),
    iv: await deriveBytes({ ...from, purpose: purposes.iv, length: 8 }),
  }
}

async function modernKey([derivation, encryption]: readonly Node[], password: string) {
  const [function_, given] = partsOf(derivation)
  if (oidOf(function_) !== pbkdf2Oid) throw unknown(oidOf(function_))
  const [salt, rounds, ...more] = partsOf(given)
  if (!isOctets(salt)) throw unknown('a salt from elsewhere')
  const iterations = boundIterations(numberOf(rounds))
  // Behind the rounds: the length, which the cipher says too, and the function, SHA-1 when it is left out.
  const prf = more.find((part) => Array.isArray(part.value))
  const digest = prf === undefined ? 'sha1' : known(digests, oidOf(partsOf(prf)[0]))
  const [oid, iv] = partsOf(encryption)
  const cipher = known(ciphers, oidOf(oid))
  const key = await derive(password, octetsOf(salt), iterations, cipher.key, digest)
  return { cipher, key, iv: octetsOf(iv) }
}

function known<T>(table: Readonly<Record<string, T>>, oid: string): T {
  const found = Object.hasOwn(table, oid) ? table[oid] : undefined
  if (found === undefined) throw unknown(oid)
  return found
}

const unknown = (what: string) =>
  new KeystoreRefused(`it is encrypted in a way that is not known here: ${what}`)
