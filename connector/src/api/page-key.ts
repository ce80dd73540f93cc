/** The RSA key that signs the answers of the API, created once and stored in the runtime folder. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign,
  X509Certificate,
} from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import writeFileAtomic from 'write-file-atomic'
import type { PageKey } from './services.ts'

const generateKeyPairAsync = promisify(generateKeyPair)

/** A certificate that expires within this time is replaced, in milliseconds: a year. */
const minRemainingMs = 365 * 86_400_000

/** Signatures in the cache: lists are requested often and seldom change. */
const maxSignatures = 64

/**
 * Reads the key, or creates one where none can be read. `certify` creates a certificate for it, PEM.
 * Deployed clients verify RSASSA-PKCS1-v1_5 with SHA-256, and encrypt PINs to 2048 bits.
 */
export async function openPageKey(
  runtime: string,
  certify: (privateKey: string) => Promise<string>,
): Promise<PageKey> {
  const pem = await readOrCreateKey(join(runtime, 'page-key.pem'))
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const certificate = await readOrCreateCertificate(
    join(runtime, 'page-key-certificate.pem'),
    pem,
    certify,
  )
  const signatures = new Map<string, string>()
  return {
    publicKey,
    certificate,
    fingerprint: createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex'),
    sign(text) {
      const cached = signatures.get(text)
      if (cached !== undefined) return cached
      const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64')
      if (signatures.size >= maxSignatures) signatures.clear()
      signatures.set(text, signature)
      return signature
    },
  }
}

/** A UUID for this device that is as stable as its key (SPKI, PEM): RFC 9562 version 8, of the key's SHA-256. */
export function deriveDeviceId(publicKey: string): string {
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' })
  const hex = createHash('sha256').update(der).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The stored certificate, when it is for this key and does not expire soon. */
async function readOrCreateCertificate(
  path: string,
  key: string,
  certify: (privateKey: string) => Promise<string>,
): Promise<string> {
  const stored = await readFile(path, 'utf8').catch(() => undefined)
  if (stored !== undefined && isUsableCertificate(stored, key)) return stored
  const created = await certify(key)
  await writeFileAtomic(path, created, { mode: 0o600 })
  return created
}

function isUsableCertificate(certificate: string, key: string): boolean {
  try {
    const parsed = new X509Certificate(certificate)
    return (
      parsed.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(parsed.validTo) > Date.now() + minRemainingMs
    )
  } catch {
    return false
  }
}

async function readOrCreateKey(path: string): Promise<string> {
  const stored = await readFile(path, 'utf8').catch(() => undefined)
  if (stored !== undefined && isRsa2048(stored)) return stored
  const { privateKey } = await generateKeyPairAsync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await writeFileAtomic(path, pem, { mode: 0o600 })
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
