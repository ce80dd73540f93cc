/** The offline key of the releases: an Ed25519 key in a PEM file (PKCS#8), which its owner may have encrypted. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { ReleaseError } from '../../.ci/packaging/written-at.ts'

/** Makes a key in `file`, for its owner alone; never in the place of another. Returns the public key. */
export function makeSigningKey(file: string, passphrase: string | undefined): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const cipher = passphrase ? { cipher: 'aes-256-cbc', passphrase } : {}
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8', ...cipher })
  try {
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new ReleaseError(`Cannot write "${file}": ${error}`)
  }
  return getPublicKey(privateKey)
}

export function readSigningKey(file: string, passphrase: string | undefined): KeyObject {
  try {
    const key = createPrivateKey({ key: readFileSync(file, 'utf8'), passphrase })
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is of ${key.asymmetricKeyType}`)
    return key
  } catch (error) {
    throw new ReleaseError(
      `Cannot read the key in "${file}": ${error}; a passphrase comes from CARDWIRE_RELEASE_PASSPHRASE`,
    )
  }
}

/** Raw, base64url, 43 characters: as builds know it. */
export function getPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (x === undefined) throw new Error('Cannot find the public key: it is not an Ed25519 key')
  return x
}

/** The text of `manifest.json.sig`. */
export const signManifest = (manifest: Uint8Array, key: KeyObject): string =>
  `${sign(null, manifest, key).toString('base64')}\n`
