/** The RSA key of the API: made once, kept in the runtime folder, signs answers. */
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

const makePair = promisify(generateKeyPair)

/** A certificate that ends within this time is made anew, in milliseconds: a year. */
const remakeMs = 365 * 86_400_000

/** Signatures that are kept: listings are asked for often and seldom change. */
const mostSignatures = 64

/**
 * Reads the key, or makes it where there is none that can be read. `certify` makes a certificate for it, PEM.
 * Deployed clients verify RSASSA-PKCS1-v1_5 with SHA-256, and encrypt PINs to 2048 bits.
 */
export async function openPageKey(
  runtime: string,
  certify: (privateKey: string) => Promise<string>,
): Promise<PageKey> {
  const pem = await readKey(join(runtime, 'page-key.pem'))
  const privateKey = createPrivateKey(pem)
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const certificate = await certificateOf(join(runtime, 'page-key-certificate.pem'), pem, certify)
  const signatures = new Map<string, string>()
  return {
    publicKey,
    certificate,
    fingerprint: createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex'),
    sign(text) {
      const known = signatures.get(text)
      if (known !== undefined) return known
      const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64')
      if (signatures.size >= mostSignatures) signatures.clear()
      signatures.set(text, signature)
      return signature
    },
  }
}

/** The one that is kept, as long as it is for this key and holds for a while. */
async function certificateOf(
  path: string,
  key: string,
  certify: (privateKey: string) => Promise<string>,
): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => undefined)
  if (kept !== undefined && certifies(kept, key)) return kept
  const made = await certify(key)
  await writeFileAtomic(path, made, { mode: 0o600 })
  return made
}

function certifies(certificate: string, key: string): boolean {
  try {
    const read = new X509Certificate(certificate)
    return (
      read.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(read.validTo) > Date.now() + remakeMs
    )
  } catch {
    return false
  }
}

async function readKey(path: string): Promise<string> {
  const found = await readFile(path, 'utf8').catch(() => undefined)
  if (found !== undefined && isRsa2048(found)) return found
  const { privateKey } = await makePair('rsa', { modulusLength: 2048 })
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
