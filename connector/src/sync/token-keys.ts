/** The keys of application tokens: those of the last reply, and one more look when a token names another. */
import { type Jwk, KeySet, keySet } from '@cardwire/client/protocol'
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import * as z from 'zod/mini'
import type { Link } from './link.ts'
import type { Policy } from './state.ts'

/** Between two looks, in milliseconds: pages can name any key they like. */
const cooldownMs = 60_000

type TokenKey = z.output<typeof Jwk>

export interface TokenKeyParts {
  readonly dsUrl: string
  readonly link: Link
  readonly policy: () => Pick<Policy, 'tokenKeys'> | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Resolves with the key of a token; throws when there is none. */
export function tokenKeys({ dsUrl, link, policy, clock }: TokenKeyParts): JWTVerifyGetKey {
  /** What the service published since `of` was said; forgotten with it. */
  let published: { readonly of: unknown; readonly keys: readonly TokenKey[] } | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  const known = (): readonly TokenKey[] => {
    const said = policy()
    return published?.of === said && published ? published.keys : (said?.tokenKeys ?? [])
  }

  async function look(): Promise<void> {
    const said = policy()
    const { status, body } = await link({ method: 'GET', url: `${dsUrl}${keySet.path}` })
    if (status !== 200) throw new Error(`the key set of the service has status ${status}`)
    const { keys } = z.parse(KeySet, JSON.parse(new TextDecoder().decode(body)))
    published = { of: said, keys }
  }

  return async (header, token) => {
    try {
      return await createLocalJWKSet({ keys: [...known()] })(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      if (looking === undefined) {
        if (Math.abs(clock() - lookedAt) < cooldownMs) throw error
        lookedAt = clock()
        looking = look().finally(() => {
          looking = undefined
        })
      }
      await looking
      return createLocalJWKSet({ keys: [...known()] })(header, token)
    }
  }
}
