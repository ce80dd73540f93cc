/** Opens a PKCS#12 file (RFC 7292) with its password: the private keys and certificates in it. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decrypt } from './decrypt.ts'
import {
  type DerNode,
  malformedError,
  readChildren,
  readDer,
  readInteger,
  readOctets,
  readOid,
  toDer,
} from './der.ts'
import { type Digest, deriveBytes, hashes, purposes } from './key-derivation.ts'
import { KeystoreRefused } from './keystore-refused.ts'
import { createWorkBudget, type WorkBudget } from './work-budget.ts'

export interface Pkcs12Contents {
  /** PKCS#8, DER. */
  readonly keys: readonly Buffer[]
  /** X.509, DER. */
  readonly certificates: readonly Buffer[]
}

const data = '1.2.840.113549.1.7.1'
const encryptedData = '1.2.840.113549.1.7.6'

const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  contents: '1.2.840.113549.1.12.10.1.6',
}
const x509Certificate = '1.2.840.113549.1.9.22.1'

const digests: Readonly<Record<string, Digest>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** Bags may contain bags; no known program nests them deeper. */
const maxDepth = 4

/** A server has one key; every pair of a key and a certificate is tried. */
const maxKeys = 16
const maxCertificates = 128

interface OpenOptions {
  /** Only the password says who made the file. */
  readonly needsMac?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Works for seconds where the file wants it, and lets other work have its turn meanwhile. Throws KeystoreRefused when the
 * password or the file is wrong, or when it would take too much work, and the reason of the signal when that is aborted.
 */
export async function openPkcs12(
  file: Uint8Array,
  password: string,
  { needsMac = false, signal }: OpenOptions = {},
): Promise<Pkcs12Contents> {
  const budget = createWorkBudget(signal)
  const [, safe, mac] = readChildren(readDer(file))
  const content = readData(safe)
  if (needsMac && (mac === undefined || password === ''))
    throw new KeystoreRefused(
      'anyone could have made it: it needs a MAC with a password, or its SHA-256 in the configuration',
      'unreadable',
    )
  if (mac !== undefined) await verifyMac(mac, content, password, budget)
  const found: { keys: Buffer[]; certificates: Buffer[] } = { keys: [], certificates: [] }
  for (const part of readChildren(readDer(content))) {
    await collectBags(readDer(await decryptPart(part, password, budget)))
  }
  return found

  async function collectBags(bagList: DerNode, depth = 0): Promise<void> {
    if (depth > maxDepth) throw malformedError()
    for (const bag of readChildren(bagList)) {
      checkCount('private keys', found.keys.length, maxKeys)
      checkCount('certificates', found.certificates.length, maxCertificates)
      const [id, wrapped] = readChildren(bag)
      const [value] = readChildren(wrapped)
      if (value === undefined) throw malformedError()
      switch (readOid(id)) {
        case bags.key:
          found.keys.push(toDer(value))
          break
        case bags.shroudedKey: {
          const [algorithm, bytes] = readChildren(value)
          if (algorithm === undefined) throw malformedError()
          found.keys.push(await decrypt(algorithm, readOctets(bytes), password, budget))
          break
        }
        case bags.certificate: {
          const [type, bytes] = readChildren(value)
          if (readOid(type) === x509Certificate)
            found.certificates.push(readOctets(readChildren(bytes)[0]))
          break
        }
        case bags.contents:
          await collectBags(value, depth + 1)
          break
      }
    }
  }
}

function checkCount(what: string, count: number, maxCount: number): void {
  if (count > maxCount) throw new KeystoreRefused(`it holds more than ${maxCount} ${what}`)
}

/** The content of one part of the file, decrypted when it is encrypted. */
async function decryptPart(part: DerNode, password: string, budget: WorkBudget): Promise<Buffer> {
  const [type, wrapped] = readChildren(part)
  if (readOid(type) === data) return readData(part)
  if (readOid(type) !== encryptedData) throw notByPasswordError()
  const [, encrypted] = readChildren(readChildren(wrapped)[0])
  const [, algorithm, bytes] = readChildren(encrypted)
  if (algorithm === undefined) throw malformedError()
  return decrypt(algorithm, readOctets(bytes), password, budget)
}

/** The bytes of a ContentInfo that is not encrypted as a whole. */
function readData(info: DerNode | undefined): Buffer {
  const [type, wrapped] = readChildren(info)
  if (readOid(type) !== data) throw notByPasswordError()
  return readOctets(readChildren(wrapped)[0])
}

const notByPasswordError = () =>
  new KeystoreRefused(
    'it is signed or encrypted by a certificate, and not by a password',
    'unreadable',
  )

/** Verifies the MAC of the file. Throws KeystoreRefused when the password or a byte of the file is wrong. */
async function verifyMac(
  macData: DerNode,
  content: Buffer,
  password: string,
  budget: WorkBudget,
): Promise<void> {
  const [info, salt, rounds] = readChildren(macData)
  const [algorithm, expected] = readChildren(info)
  const oid = readOid(readChildren(algorithm)[0])
  const digest = Object.hasOwn(digests, oid) ? digests[oid] : undefined
  if (digest === undefined) {
    throw new KeystoreRefused(`its MAC uses an unknown algorithm: ${oid}`, 'unreadable')
  }
  const expectedMac = readOctets(expected)
  const { output: length } = hashes[digest]
  if (expectedMac.length !== length) {
    throw new KeystoreRefused(
      `its MAC has ${expectedMac.length} bytes, and not ${length}`,
      'unreadable',
    )
  }
  const iterations = rounds === undefined ? 1 : readInteger(rounds)
  const key = await deriveBytes(
    { digest, password, purpose: purposes.mac, length, salt: readOctets(salt), iterations },
    budget,
  )
  const mac = createHmac(digest, key).update(content).digest()
  if (!timingSafeEqual(mac, expectedMac)) {
    throw new KeystoreRefused('its password is wrong, or the file is damaged', 'locked')
  }
}
