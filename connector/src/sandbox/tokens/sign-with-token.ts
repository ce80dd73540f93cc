/** Signatures by the keys of a token. */
import { CardError } from '../card-modules/card-error.ts'
import type { Digest } from '../card-modules/card-module.ts'
import { isSignatureOf } from '../card-modules/check-signature.ts'
import {
  curveBytes,
  digestBytes,
  isRsa,
  type KeyType,
  readKeyType,
} from '../card-modules/key-type.ts'
import { toDigestInfo } from '../card-modules/signature.ts'
import { attributes, mechanisms, objectClasses, pssNumbers, userTypes } from '../pkcs11/layout.ts'
import type { ObjectHandle, Pkcs11 } from '../pkcs11/pkcs11.ts'
import type { FoundKey } from './list-keys.ts'
import { enterPin, type Login } from './token-login.ts'

/** Of a token that has been logged in to. */
export function signDigests(
  pkcs11: Pkcs11,
  login: Login,
  key: FoundKey,
  digests: readonly Digest[],
): readonly Uint8Array[] {
  const type = readKeyType(key.certificate)
  if (!type) throw new CardError('key-unsupported', `Cannot use key "${key.id}": of another kind`)
  const { session } = login
  const privateKey = findPrivateKey(pkcs11, login, key)
  const [alwaysAuthenticate] = pkcs11.readAttributes(session, privateKey, [
    attributes.alwaysAuthenticate,
  ])
  const onBegun = alwaysAuthenticate?.[0]
    ? () => enterPin(pkcs11, login, userTypes.contextSpecific)
    : undefined
  return digests.map((digest) => {
    if (digest.bytes.length !== digestBytes[digest.hash]) {
      const length = digestBytes[digest.hash]
      const message = `Cannot sign: a ${digest.hash} hash has ${length} bytes`
      throw new CardError('key-unsupported', message)
    }
    const signature = pkcs11.sign(session, privateKey, {
      ...toSigned(type, digest),
      ...(onBegun && { onBegun }),
    })
    if (isSignatureOf(key.certificate, digest, signature)) return signature
    const message = 'Cannot use the signature: it is not one by the key of the token'
    throw new CardError('card-mute', message)
  })
}

function findPrivateKey(pkcs11: Pkcs11, { session }: Login, key: FoundKey): ObjectHandle {
  const found = pkcs11.findObjects(session, objectClasses.privateKey, key.objectId)
  const signing = found.filter((object) => {
    const [signs] = pkcs11.readAttributes(session, object, [attributes.sign])
    // One that does not say so may.
    return signs === undefined || signs[0] !== 0
  })
  const [first] = signing
  if (first !== undefined) return first
  const message = `Cannot sign with key "${key.id}": the token has its certificate, but no private key that can sign`
  throw new CardError('key-unsupported', message)
}

/** CKM_RSA_PKCS pads what it is given; CKM_ECDSA signs the digest, and answers with r and s (v2.40 §2.1.6, §2.3.1). */
function toSigned(type: KeyType, digest: Digest) {
  if (isRsa(type) && digest.padding === 'pss') {
    const { hash, mask } = pssNumbers[digest.hash]
    const parameters = [hash, mask, digest.bytes.length]
    return { mechanism: { type: mechanisms.rsaPkcsPss, parameters }, data: digest.bytes }
  }
  if (isRsa(type)) return { mechanism: { type: mechanisms.rsaPkcs }, data: toDigestInfo(digest) }
  const data = digest.bytes.subarray(0, curveBytes[type])
  return { mechanism: { type: mechanisms.ecdsa }, data }
}
