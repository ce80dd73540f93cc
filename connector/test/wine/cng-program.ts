/** A program for Windows: signs with a key of CNG as the connector does, and prints the signature and the public key as JSON. */
import { createHash } from 'node:crypto'
import { openWindowsKeys } from '../../src/sandbox/windows-keys/native.ts'
import { type StoreHash, signDigest } from '../../src/sandbox/windows-keys/sign-digest.ts'
import { createCngKey } from './cng-key.ts'

const ofCng = 0xffff_ffff
const hashes: readonly StoreHash[] = ['sha1', 'sha256', 'sha384', 'sha512']

function main(): void {
  const { handle, publicKey } = createCngKey()
  const keys = openWindowsKeys()
  const signatures = hashes.map((hash) => {
    const digest = createHash(hash).update('a message').digest()
    const key = { handle, specification: ofCng }
    const result = signDigest(keys, key, { hash, digest, isRsa: true })
    return 'signature' in result
      ? result.signature.toString('base64')
      : `0x${result.status.toString(16)}`
  })
  process.stdout.write(JSON.stringify({ publicKey: publicKey.toString('base64'), signatures }))
}

try {
  main()
} catch (error) {
  process.stdout.write(JSON.stringify({ failed: String(error) }))
}
