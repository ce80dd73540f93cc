/** Application tokens, verified against the key set of the distribution service, or one that the settings name. */
import { readFile } from 'node:fs/promises'
import { applicationTokenLifetimeS, tokenKinds } from '@cardwire/client/protocol'
import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Settings } from '../settings.ts'
import type { Tokens } from './services.ts'

/** An unknown key makes the set be fetched again, at most once a minute. */
const cooldownMs = 60_000
/** Clocks differ, in seconds. */
const toleranceS = 30

const KeySetFile = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

export function tokenVerifier(settings: Settings, clock: () => number): Tokens {
  const keys = keySource(settings)
  return {
    required: settings.jwtRequired,
    async verify(token) {
      const { typ, audience } = tokenKinds.application
      const { payload } = await jwtVerify(token, await keys(), {
        algorithms: ['ES256', 'RS256'],
        typ,
        audience,
        ...(settings.dsUrl !== undefined && { issuer: settings.dsUrl.replace(/\/$/, '') }),
        currentDate: new Date(clock()),
        clockTolerance: toleranceS,
        maxTokenAge: applicationTokenLifetimeS,
        requiredClaims: ['sub', 'iat', 'exp'],
      })
      return { label: payload.sub ?? '', expiresAt: (payload.exp ?? 0) * 1000 }
    },
  }
}

/** Where the keys come from; a file is read again for each token, so that it can be changed while we run. */
function keySource({ jwks, dsUrl }: Settings): () => Promise<JWTVerifyGetKey> {
  const url =
    jwks !== undefined && /^https?:/i.test(jwks)
      ? jwks
      : dsUrl && `${dsUrl.replace(/\/$/, '')}/.well-known/jwks.json`
  if (jwks !== undefined && url !== jwks) {
    return async () => createLocalJWKSet(KeySetFile.parse(JSON.parse(await readFile(jwks, 'utf8'))))
  }
  if (!url) {
    return async () => {
      throw new Error('no key set: set CARDWIRE_DS_URL or CARDWIRE_JWKS')
    }
  }
  const remote = createRemoteJWKSet(new URL(url), { cooldownDuration: cooldownMs })
  return async () => remote
}
