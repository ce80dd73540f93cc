/** The RSA key that pages encrypt PINs to and that signs the answers of the API (`getDeviceKey`), created once and stored in the runtime folder. */
import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  privateDecrypt,
  sign,
  X509Certificate,
} from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { keepDamagedFile } from '../system/damaged-files.ts'
import type { Log } from '../system/log.ts'
import { privateFiles } from '../system/private-files.ts'
import type { DeviceEncryptionKey } from './api-services.ts'

const generateKeyPairAsync = promisify(generateKeyPair)

/** A certificate that expires within this time is replaced, in milliseconds: a year. */
const minRemainingMs = 365 * 86_400_000
/** One that begins later than this from now was made by a wrong clock, in milliseconds: a day. */
const maxEarlyMs = 86_400_000

/** Creates a certificate for a private key (PKCS#8, PEM) that begins at `now`, milliseconds since 1970; PEM. */
export type Certify = (privateKey: string, now: number) => Promise<string>

export interface DeviceEncryptionKeyOptions {
  readonly runtime: string
  readonly certify: Certify
  readonly log: Pick<Log, 'warn'>
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

export interface OpenedDeviceEncryptionKey extends DeviceEncryptionKey {
  /** Replaces the certificate when it does not fit the time, as after the clock was wrong. */
  renewCertificate(): Promise<void>
}

const certificateName = 'page-key-certificate.pem'

/** Of a key with 2048 bits. */
const modulusBytes = 256

/** Signatures in the cache: lists are requested often and seldom change. */
const maxSignatures = 64

/**
 * Reads the key, or creates one where none can be read; a damaged file is kept aside. Legacy clients verify
 * RSASSA-PKCS1-v1_5 with SHA-256, and encrypt PINs to 2048 bits.
 */
export async function openDeviceEncryptionKey(
  options: DeviceEncryptionKeyOptions,
): Promise<OpenedDeviceEncryptionKey> {
  const { runtime, log } = options
  const pem = await readOrCreateKey(runtime, log)
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  let certificate = await readOrCreateCertificate(pem, options)
  const signatures = new Map<string, string>()
  return {
    publicKey,
    get certificate() {
      return certificate
    },
    get fingerprint() {
      return createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex')
    },
    async renewCertificate() {
      certificate = await readOrCreateCertificate(pem, options)
    },
    sign(text) {
      const cached = signatures.get(text)
      if (cached !== undefined) return cached
      const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64')
      if (signatures.size >= maxSignatures) signatures.clear()
      signatures.set(text, signature)
      return signature
    },
    decrypt(ciphertext) {
      // RSA without padding: the crypto library would say whether the padding is right.
      const padding = constants.RSA_NO_PADDING
      const whole = Buffer.alloc(modulusBytes)
      whole.set(ciphertext.subarray(-modulusBytes), modulusBytes - ciphertext.length)
      try {
        return privateDecrypt({ key: privateKey, padding }, whole)
      } catch {
        // It is not below the modulus, which is public.
        return Buffer.alloc(modulusBytes)
      }
    },
  }
}

/** A UUID for this device that is as stable as its key (SPKI, PEM): RFC 9562 version 8, of the key's SHA-256. */
export function deriveDeviceId(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' })
  const hex = createHash('sha256').update(der).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The stored certificate, when it is for this key, has begun and does not expire soon. */
async function readOrCreateCertificate(
  key: string,
  { runtime, certify, log, clock = Date.now }: DeviceEncryptionKeyOptions,
): Promise<string> {
  const path = join(runtime, certificateName)
  const stored = await privateFiles.read(path)
  const found = stored === undefined ? undefined : tryReadCertificate(stored, key)
  if (stored !== undefined && found && fitsTime(found, clock())) return stored
  if (found === undefined) keepDamagedFile(path, log)
  const created = await certify(key, clock())
  await privateFiles.write(path, created)
  return created
}

/** undefined: it is no certificate, or one of another key. */
function tryReadCertificate(certificate: string, key: string): X509Certificate | undefined {
  try {
    const parsed = new X509Certificate(certificate)
    return parsed.checkPrivateKey(createPrivateKey(key)) ? parsed : undefined
  } catch {
    return undefined
  }
}

const fitsTime = ({ validFrom, validTo }: X509Certificate, now: number) =>
  Date.parse(validFrom) <= now + maxEarlyMs && Date.parse(validTo) > now + minRemainingMs

async function readOrCreateKey(runtime: string, log: Pick<Log, 'warn'>): Promise<string> {
  const path = join(runtime, 'page-key.pem')
  const certificatePath = join(runtime, certificateName)
  const stored = await privateFiles.read(path)
  if (stored !== undefined && isRsa2048(stored)) return stored
  if (stored !== undefined) keepDamagedFile(path, log)
  // The first key of a connector has no certificate beside it yet.
  else if ((await privateFiles.read(certificatePath)) !== undefined)
    log.warn('page-key.pem is gone: responses are signed with a new key', { path })
  const { privateKey } = await generateKeyPairAsync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await privateFiles.write(path, pem)
  return pem
}

function isRsa2048(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' && asymmetricKeyDetails?.modulusLength === 2048
  } catch {
    return false
  }
}
