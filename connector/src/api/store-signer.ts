/** Signatures by keys that the system keeps: the key is chosen, the user is asked, and the signature is verified. */
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import { isSignatureOf } from '../sandbox/card-modules/check-signature.ts'
import { digestBytes, type HashName, isRsa } from '../sandbox/card-modules/key-type.ts'
import type { KeyStore } from '../sandbox/windows-keys/key-store.ts'
import type { ApiServices } from './api-services.ts'
import { mayAuthenticate, requireGrant } from './authentication-grant.ts'
import type { KeyWishes, UseKey } from './store-key-use.ts'
import { chooseOwn, requireSigning } from './stored-key.ts'

/** Returns the signature, base64. */
export function createStoreSigner(
  { hasGrant, clock }: Pick<ApiServices, 'hasGrant' | 'clock'>,
  useKey: UseKey,
) {
  return async (
    context: Context<ApiEnv>,
    store: KeyStore,
    wishes: KeyWishes & { readonly data: string },
    purpose: 'authentication' | 'non-repudiation',
  ): Promise<string> => {
    const digest = readDigest(wishes.data)
    const own = await chooseOwn(store, wishes.certId, purpose, clock())
    const type = requireSigning(own)
    const caller = context.get('caller')
    const check = () => {
      if (own.authenticates) requireGrant(hasGrant, caller, 'this certificate')
    }
    check()
    const act = purpose === 'authentication' ? 'authenticate' : 'sign'
    const request = {
      ...{ hash: digest.hash, digest: digest.bytes, isRsa: isRsa(type) },
      ...(mayAuthenticate(hasGrant, caller) && { mayAuthenticate: true as const }),
    }
    const signature = await useKey(context, { own, act, wishes, check }, (signal) =>
      store.sign(own.fingerprint, request, signal),
    )
    if (!isSignatureOf(own.der, digest, signature)) {
      throw new Problem(
        'key-unsupported',
        'Cannot sign with this certificate: Windows signs with another key, or in another form',
      )
    }
    return Buffer.from(signature).toString('base64')
  }
}

/** Its length says the hash: legacy clients do not. */
function readDigest(data: string): { readonly hash: HashName; readonly bytes: Uint8Array } {
  const bytes = Buffer.from(data, 'base64')
  for (const hash of ['sha256', 'sha384', 'sha512', 'sha1'] as const)
    if (digestBytes[hash] === bytes.length) return { hash, bytes }
  const message = `expected a hash of 20, 32, 48 or 64 bytes, got ${bytes.length}`
  throw new Problem('input-invalid', `Cannot accept "data": ${message}`, {
    errors: [{ path: 'data', message }],
  })
}
