/** The issuer of the application tokens that this connector accepts, with its keys: a distribution service, or the settings. */
import { readFile } from 'node:fs/promises'
import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod/mini'
import type { Settings } from '../settings.ts'

export interface TokenAuthority {
  /** Resolves with the key of a token. Throws when there is none. */
  readonly getKey: JWTVerifyGetKey
  /** The accepted values of `iss`; undefined: any token that one of the keys signed is accepted. */
  readonly issuers: () => string[] | undefined
  /** Milliseconds that the clock of the issuer is ahead of ours. */
  readonly clockOffsetMs: () => number
}

/** Milliseconds. A token with an unknown key makes the set be fetched again, at most once a minute. */
const cooldownMs = 60_000
const KeySetFile = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** The key set that CARDWIRE_JWKS names. `clock`: milliseconds since 1970. */
export const createSettingsAuthority = (
  { jwks }: Pick<Settings, 'jwks'>,
  clock: () => number = Date.now,
): TokenAuthority => ({
  getKey: createKeyResolver(jwks, clock),
  issuers: () => undefined,
  clockOffsetMs: () => 0,
})

/** A file is read again for each token, so that it can be changed while the connector runs. */
function createKeyResolver(jwks: string | undefined, clock: () => number): JWTVerifyGetKey {
  if (jwks === undefined) {
    return async () => {
      throw new Error('no key set: set CARDWIRE_DS_URL or CARDWIRE_JWKS')
    }
  }
  if (/^https?:/i.test(jwks)) return createRemoteResolver(new URL(jwks), clock)
  return async (header, token) => {
    const set = KeySetFile.parse(JSON.parse(await readFile(jwks, 'utf8')))
    return createLocalJWKSet(set)(header, token)
  }
}

/** The set is fetched anew after the clock was set back: until it is there again, the library would keep the old one, and fetch no other. */
function createRemoteResolver(url: URL, clock: () => number): JWTVerifyGetKey {
  let set = openRemoteSet(url)
  let usedAt = Number.NEGATIVE_INFINITY
  return async (header, token) => {
    const now = clock()
    if (now < usedAt) set = openRemoteSet(url)
    usedAt = now
    return set(header, token)
  }
}

const openRemoteSet = (url: URL): JWTVerifyGetKey =>
  createRemoteJWKSet(url, {
    cooldownDuration: cooldownMs,
    // Set, because NODE_TLS_REJECT_UNAUTHORIZED decides where it is not.
    [customFetch]: (address, options) =>
      fetch(address, { ...options, redirect: 'manual', tls: { rejectUnauthorized: true } }),
  })
