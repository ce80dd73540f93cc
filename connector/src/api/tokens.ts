/** Application tokens, verified against the keys of a distribution service, or those that the settings name. */
import { readFile } from 'node:fs/promises'
import { applicationTokenLifetimeS, tokenKinds } from '@cardwire/client/protocol'
import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Settings } from '../settings.ts'
import type { Tokens } from './services.ts'

/** Whoever makes the tokens. */
export interface TokenAuthority {
  /** Resolves with the key of a token; throws when there is none. */
  readonly key: JWTVerifyGetKey
  /** How it names itself; undefined: whoever has one of the keys is believed. */
  readonly issuers: () => string[] | undefined
  /** Milliseconds that its clock is ahead of ours. */
  readonly offsetMs: () => number
}

/** An unknown key makes the set be fetched again, at most once a minute. */
const cooldownMs = 60_000
/** Clocks differ, in seconds. */
const toleranceS = 30

const KeySetFile = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** `clock` is ours, in milliseconds since 1970; so is the end of a token. */
export function tokenVerifier(
  required: boolean,
  { key, issuers, offsetMs }: TokenAuthority,
  clock: () => number,
): Tokens {
  return {
    required,
    async verify(token) {
      const { typ, audience } = tokenKinds.application
      const issuer = issuers()
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['ES256', 'RS256'],
        typ,
        audience,
        ...(issuer && { issuer }),
        currentDate: new Date(clock() + offsetMs()),
        clockTolerance: toleranceS,
        maxTokenAge: applicationTokenLifetimeS,
        requiredClaims: ['sub', 'iat', 'exp'],
      })
      // A stream lasts as long as a request with its token is answered: who opens it again is told that it has ended.
      const expiresAt = ((payload.exp ?? 0) + toleranceS) * 1000 - offsetMs()
      return { label: payload.sub ?? '', expiresAt }
    },
  }
}

/** The key set that the settings name. */
export const settingsAuthority = ({ jwks }: Pick<Settings, 'jwks'>): TokenAuthority => ({
  key: keyOf(jwks),
  issuers: () => undefined,
  offsetMs: () => 0,
})

/** A file is read again for each token, so that it can be changed while we run. */
function keyOf(jwks: string | undefined): JWTVerifyGetKey {
  if (jwks === undefined) {
    return async () => {
      throw new Error('no key set: set CARDWIRE_DS_URL or CARDWIRE_JWKS')
    }
  }
  if (/^https?:/i.test(jwks)) {
    return createRemoteJWKSet(new URL(jwks), { cooldownDuration: cooldownMs })
  }
  return async (header, token) => {
    const set = KeySetFile.parse(JSON.parse(await readFile(jwks, 'utf8')))
    return createLocalJWKSet(set)(header, token)
  }
}
