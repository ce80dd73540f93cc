/** The public keys of application tokens: those of the last reply, fetched again when a token names another key. */
import { type Jwk, KeySet, keySet } from '@cardwire/client/protocol'
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod/mini'
import type { HttpTransport } from './transport.ts'
import type { Policy } from './verify-reply.ts'

/** Milliseconds between two fetches: pages can send tokens with any key id. */
const cooldownMs = 60_000

type TokenKey = z.output<typeof Jwk>

export interface TokenKeyOptions {
  readonly dsUrl: string
  readonly transport: HttpTransport
  readonly policy: () => Pick<Policy, 'tokenKeys'> | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The resolver finds the key of a token, and throws when there is none. */
export function createTokenKeyResolver(options: TokenKeyOptions): JWTVerifyGetKey {
  const { dsUrl, transport, policy, clock } = options
  /** The keys published while `policy` was in force; the next policy replaces them. */
  let fetched: { readonly policy: unknown; readonly keys: readonly TokenKey[] } | undefined
  let fetchedAt = Number.NEGATIVE_INFINITY
  let pendingFetch: Promise<void> | undefined

  function currentKeys(): readonly TokenKey[] {
    const current = policy()
    return fetched && fetched.policy === current ? fetched.keys : (current?.tokenKeys ?? [])
  }

  async function fetchKeys(): Promise<void> {
    const current = policy()
    const { status, body } = await transport({ method: 'GET', url: `${dsUrl}${keySet.path}` })
    if (status !== 200) throw new Error(`the key set of the service has status ${status}`)
    const { keys } = z.parse(KeySet, JSON.parse(new TextDecoder().decode(body)))
    fetched = { policy: current, keys }
  }

  return async (header, token) => {
    try {
      return await createLocalJWKSet({ keys: [...currentKeys()] })(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      if (pendingFetch === undefined) {
        if (Math.abs(clock() - fetchedAt) < cooldownMs) throw error
        fetchedAt = clock()
        pendingFetch = fetchKeys().finally(() => {
          pendingFetch = undefined
        })
      }
      await pendingFetch
      return createLocalJWKSet({ keys: [...currentKeys()] })(header, token)
    }
  }
}
