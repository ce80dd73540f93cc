/** Checks signatures against the certificates of a card: without a PIN, and the card signs nothing. */
import { validateCardSignature } from '@cardwire/protocol/card-signing'
import { Problem } from '@cardwire/protocol/problem'
import type { Bind } from '../http/route-types.ts'
import { CardError } from '../sandbox/card-modules/card-error.ts'
import type { Digest } from '../sandbox/card-modules/card-module.ts'
import { isSignatureOf } from '../sandbox/card-modules/check-signature.ts'
import { curveBytes, type KeyType, readKeyType } from '../sandbox/card-modules/key-type.ts'
import { toDerSignature, toRawSignature } from '../sandbox/card-modules/signature.ts'
import type { ApiServices } from './api-services.ts'
import { findCard } from './find-card.ts'
import { type CardReadServices, createReadCard } from './read-card.ts'
import { chooseKey, readAlgorithm, readDigest } from './signing-input.ts'

export function bindValidationRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'readers'> & CardReadServices,
): void {
  const readCard = createReadCard(services)
  bind(validateCardSignature, async ({ params, body }, context) => {
    const { hash, padding } = readAlgorithm(body.algorithm)
    const bytes = readDigest(body.hash, hash, 'hash')
    const { module, reader } = await findCard(services, params)
    const { id: key } = chooseKey(module, body.id, 'non-repudiation')
    const { certificates, publicKeys } = await readCard(context, reader, {
      ...{ kind: 'certificates', module: module.id, keys: [key], publicKeys: true },
    })
    const found = certificates[0]?.certificate ?? publicKeys?.[0]?.publicKey
    if (found === undefined) {
      throw new Problem('key-unknown', `Cannot check with key "${key}": the card has none`)
    }
    const certificate = Buffer.from(found, 'base64')
    const type = readKeyType(certificate)
    if (!type) {
      throw new Problem('key-unsupported', `Cannot check with key "${key}": it is of another kind`)
    }
    const signature = Buffer.from(body.signedHash, 'base64')
    return { data: { valid: isSignature(certificate, type, { hash, bytes, padding }, signature) } }
  })
}

/** By an elliptic curve it may have the form of a card (r and s) or of X.509 (ECDSA-Sig-Value). */
export function isSignature(
  certificate: Uint8Array,
  type: KeyType,
  digest: Digest,
  signature: Uint8Array,
): boolean {
  const bytes = curveBytes[type]
  if (bytes === undefined) return isSignatureOf(certificate, digest, signature)
  const forms = [signature.length === 2 * bytes ? signature : undefined, readDer(signature, bytes)]
  return forms.some((raw) => raw !== undefined && isSignatureOf(certificate, digest, raw))
}

/** undefined: it has another form. What a card answers is read with more patience. */
function readDer(signature: Uint8Array, bytes: number): Uint8Array | undefined {
  try {
    const raw = toRawSignature(signature, bytes)
    return Buffer.from(toDerSignature(raw)).equals(signature) ? raw : undefined
  } catch (error) {
    if (error instanceof CardError) return undefined
    throw error
  }
}
