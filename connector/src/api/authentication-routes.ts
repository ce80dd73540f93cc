/** A user authenticates to a page with a card: what is signed holds the origin that the connector saw, not one that the page names. */
import { createHash } from 'node:crypto'
import type { AuthenticationToken } from '@cardwire/protocol/authentication'
import { createAuthenticationToken } from '@cardwire/protocol/card-signing'
import { Problem } from '@cardwire/protocol/problem'
import type { Bind } from '../http/route-types.ts'
import type { DescribedKey, DescribedModule } from '../sandbox/card-modules/card-module.ts'
import type { HashName, KeyType } from '../sandbox/card-modules/key-type.ts'
import { version } from '../version.ts'
import type { ApiServices } from './api-services.ts'
import { findCard } from './find-card.ts'
import type { Digests, SignDigests } from './sign-digest.ts'

interface Algorithm {
  readonly algorithm: AuthenticationToken['algorithm']
  readonly hash: HashName
}
const rs256: Algorithm = { algorithm: 'RS256', hash: 'sha256' }

/** The algorithm of JWA that a token names for each key, with its hash; there is none for Ed25519. */
const algorithms: Readonly<Partial<Record<KeyType, Algorithm>>> = {
  'RSA-2048': rs256,
  'RSA-3072': rs256,
  'RSA-4096': rs256,
  'P-256': { algorithm: 'ES256', hash: 'sha256' },
  'P-384': { algorithm: 'ES384', hash: 'sha384' },
}

export function bindAuthenticationRoutes(
  bind: Bind,
  services: Pick<ApiServices, 'readers' | 'cardAccess'>,
  signDigests: SignDigests,
): void {
  bind(createAuthenticationToken, async ({ params, body }, context) => {
    const caller = context.get('caller')
    if (caller.kind !== 'page') {
      throw new Problem(
        'page-unnamed',
        'Cannot authenticate without an origin: only pages have one',
      )
    }
    const { origin } = caller
    const card = await findCard(services, params)
    const { signatures, certificate, type } = await signDigests(context, {
      card,
      key: findKey(card.module),
      wishes: body,
      act: 'authenticate',
      needsCertificate: true,
      mayAuthenticate: true,
      toDigests: (keyType) => toDigests(getAlgorithm(keyType).hash, origin, body.nonce),
    })
    return {
      data: {
        unverifiedCertificate: certificate,
        algorithm: getAlgorithm(type).algorithm,
        signature: signatures[0] ?? '',
        format: 'web-eid:1.0',
        appVersion: `urn:cardwire:connector:${version}`,
      },
    }
  })
}

function getAlgorithm(type: KeyType): Algorithm {
  const algorithm = algorithms[type]
  if (algorithm) return algorithm
  throw new Problem('key-unsupported', `Cannot authenticate with a key of ${type}`)
}

/** One without a PIN would authenticate the card, and nobody in front of it. */
function findKey({ id, keys }: DescribedModule): DescribedKey {
  const key = keys.find(({ purpose, pin }) => purpose === 'authentication' && pin)
  if (key) return key
  throw new Problem(
    'key-unknown',
    `Cannot authenticate: module "${id}" has no key with a PIN for it`,
  )
}

/** H(H(origin) ‖ H(nonce)) (Web eID, authentication token format 1.0). */
function toDigests(hash: HashName, origin: string, nonce: string): Digests {
  const digest = (data: string | Uint8Array) => createHash(hash).update(data).digest()
  return { hash, all: [digest(Buffer.concat([digest(origin), digest(nonce)]))] }
}
