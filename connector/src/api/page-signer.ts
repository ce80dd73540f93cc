/** Signatures of digests that a page sends: its key and algorithm, the grant for keys that authenticate, and their form. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import { canAuthenticate } from '../pki/key-usage.ts'
import type { DescribedKey, Purpose } from '../sandbox/card-modules/card-module.ts'
import { curveBytes, type HashName, type KeyType } from '../sandbox/card-modules/key-type.ts'
import { toDerSignature } from '../sandbox/card-modules/signature.ts'
import type { ApiServices } from './api-services.ts'
import { mayAuthenticate, requireGrant } from './authentication-grant.ts'
import { findCard } from './find-card.ts'
import type { DialogWishes } from './pin-call.ts'
import type { SignDigests } from './sign-digest.ts'
import { chooseKey, readAlgorithm } from './signing-input.ts'

export interface SigningPlace {
  readonly module: string
  readonly reader: string
}

export interface SigningBody extends DialogWishes {
  readonly algorithm: string
  readonly id?: string | null | undefined
  readonly format?: 'raw' | 'der' | undefined
}

/** Returns the signatures, base64. `toDigests` is called before the card is asked anything. */
export type SignForPage = (
  context: Context<ApiEnv>,
  place: SigningPlace,
  body: SigningBody,
  purpose: Purpose,
  toDigests: (hash: HashName) => readonly Uint8Array[],
) => Promise<readonly string[]>

export function createPageSigner(
  services: Pick<ApiServices, 'readers' | 'cardAccess' | 'hasGrant'>,
  signDigests: SignDigests,
): SignForPage {
  const { hasGrant } = services
  return async (context, place, body, purpose, toDigests) => {
    const { hash, padding } = readAlgorithm(body.algorithm)
    const all = toDigests(hash)
    const card = await findCard(services, place)
    const key = chooseKey(card.module, body.id, purpose)
    const caller = context.get('caller')
    const check = (certificate?: string) => {
      if (canKeyAuthenticate(key, certificate)) requireGrant(hasGrant, caller, `key "${key.id}"`)
    }
    check()
    const authenticates = purpose === 'authentication'
    const { signatures, type } = await signDigests(context, {
      card,
      key,
      wishes: body,
      // What a page has chosen may be a signature that counts.
      act: key.purpose === 'non-repudiation' || key.alsoSigns ? 'sign' : 'authenticate',
      check,
      mayAuthenticate: mayAuthenticate(hasGrant, caller),
      needsCertificate: authenticates,
      toDigests: (type) => {
        if (authenticates) requireAuthenticationKey(type)
        return { hash, all, padding }
      },
    })
    return signatures.map((signature) => toFormat(signature, type, body.format))
  }
}

/** As its place on the card says, or its certificate (base64), as soon as that is read. */
const canKeyAuthenticate = (
  { purpose, authenticates }: DescribedKey,
  certificate: string | undefined,
): boolean =>
  purpose !== 'non-repudiation' ||
  authenticates === true ||
  (certificate !== undefined && canAuthenticate(Buffer.from(certificate, 'base64')))

/** One that authenticates has a certificate, and an algorithm that verifiers know (docs/decisions/0091-keys-without-certificates.md). */
function requireAuthenticationKey(type: KeyType): void {
  if (type === 'Ed25519') {
    throw new Problem('key-unsupported', 'Cannot authenticate with a key of Ed25519')
  }
}

/** Both are base64; one by RSA or Ed25519 has one form. */
function toFormat(signature: string, type: KeyType, format: SigningBody['format']): string {
  if (format !== 'der' || curveBytes[type] === undefined) return signature
  return Buffer.from(toDerSignature(Buffer.from(signature, 'base64'))).toString('base64')
}
