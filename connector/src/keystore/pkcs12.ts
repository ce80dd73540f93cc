/** Opens a PKCS#12 file (RFC 7292) with its password: the private keys and certificates in it. */
import { timingSafeEqual } from 'node:crypto'
import { broken, derOf, type Node, numberOf, octetsOf, oidOf, partsOf, readDer } from './der.ts'
import { type Digest, deriveBytes, purposes } from './derivation.ts'
import { decrypt } from './encryption.ts'
import { KeystoreRefused } from './refusal.ts'

export interface Contents {
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

/** Bags may hold bags; nobody puts them deeper. */
const deepest = 4

/** Throws KeystoreRefused. */
export async function openPkcs12(file: Uint8Array, password: string): Promise<Contents> {
  const [, safe, mac] = partsOf(readDer(file))
  const content = dataOf(safe)
  if (mac !== undefined) await verify(mac, content, password)
  const found: { keys: Buffer[]; certificates: Buffer[] } = { keys: [], certificates: [] }
  for (const part of partsOf(readDer(content))) {
    await collect(readDer(await plain(part, password)))
  }
  return found

  async function collect(bagsOfOne: Node, depth = 0): Promise<void> {
    if (depth > deepest) throw broken()
    for (const bag of partsOf(bagsOfOne)) {
      const [id, wrapped] = partsOf(bag)
      const [value] = partsOf(wrapped)
      if (value === undefined) throw broken()
      switch (oidOf(id)) {
        case bags.key:
          found.keys.push(derOf(value))
          break
        case bags.shroudedKey: {
          const [algorithm, bytes] = partsOf(value)
          if (algorithm === undefined) throw broken()
          found.keys.push(await decrypt(algorithm, octetsOf(bytes), password))
          break
        }
        case bags.certificate: {
          const [type, bytes] = partsOf(value)
          if (oidOf(type) === x509Certificate) found.certificates.push(octetsOf(partsOf(bytes)[0]))
          break
        }
        case bags.contents:
          await collect(value, depth + 1)
          break
      }
    }
  }
}

/** What stands in a part of the file, decrypted where it is encrypted. */
async function plain(part: Node, password: string): Promise<Buffer> {
  const [type, wrapped] = partsOf(part)
  if (oidOf(type) === data) return dataOf(part)
  if (oidOf(type) !== encryptedData) throw notByPassword()
  const [, encrypted] = partsOf(partsOf(wrapped)[0])
  const [, algorithm, bytes] = partsOf(encrypted)
  if (algorithm === undefined) throw broken()
  return decrypt(algorithm, octetsOf(bytes), password)
}

/** The bytes of a ContentInfo that is not encrypted as a whole. */
function dataOf(info: Node | undefined): Buffer {
  const [type, wrapped] = partsOf(info)
  if (oidOf(type) !== data) throw notByPassword()
  return octetsOf(partsOf(wrapped)[0])
}

const notByPassword = () =>
  new KeystoreRefused('it is signed or encrypted by a certificate, and not by a password')

/** Throws when the password or a byte of the file is another one. */
async function verify(mac: Node, content: Buffer, password: string): Promise<void> {
  const [info, salt, rounds] = partsOf(mac)
  const [algorithm, expected] = partsOf(info)
  const oid = oidOf(partsOf(algorithm)[0])
  const digest = Object.hasOwn(digests, oid) ? digests[oid] : undefined
  if (digest === undefined) {
    throw new KeystoreRefused(`it is sealed in a way that is not known here: ${oid}`)
  }
  const wanted = octetsOf(expected)
  const key = await deriveBytes({
    ...{ digest, password, purpose: purposes.mac, length: wanted.length },
    salt: octetsOf(salt),
    iterations: rounds === undefined ? 1 : numberOf(rounds),
  })
  const found = new Bun.CryptoHasher(digest, key).update(content).digest() as Buffer
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) {
    throw new KeystoreRefused('its password is another one, or the file is damaged')
  }
}
