/** Keys of replies that are new here, and believed because one that is believed vouches for them. */
import { Succession, successionKind } from '@cardwire/client/protocol'
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import * as z from 'zod/mini'
import type { ReplyKey } from './reply.ts'

/** A word is less than 1 KiB, and a service has one more with every rotation: this is a daily one for eleven years. */
const most = 4096
/** Bytes of an answer with all of them. */
export const largestSuccessions = most * 1024

/** What a service says of its keys: JWS whose every word is yet to be verified. */
export const Successions = z.array(z.string()).check(z.maxLength(most))

/**
 * The keys that those with these fingerprints vouch for, in as many steps as it takes. A word that is wrong, or by a key
 * that nobody here trusts, is passed over.
 */
export async function followed(
  words: readonly string[],
  trusted: readonly string[],
): Promise<readonly ReplyKey[]> {
  const byVoucher = Map.groupBy(words, voucherOf)
  const kids = new Set(trusted)
  const keys: ReplyKey[] = []
  // A set hands out what is added meanwhile: whatever their order, each word is looked at once at most.
  for (const kid of kids) {
    for (const word of byVoucher.get(kid) ?? []) {
      const key = await vouchedFor(word)
      if (key === undefined || kids.has(key.kid)) continue
      kids.add(key.kid)
      keys.push(key)
    }
  }
  return keys
}

/** Part of a sentence: why nobody could be followed. */
export const cannotFollow = (error: unknown) =>
  `how its keys followed each other cannot be read: ${error instanceof Error ? error.message : String(error)}`

/** Whose word it claims to be; undefined: it is no JWS. */
function voucherOf(word: string): string | undefined {
  try {
    return decodeProtectedHeader(word).kid
  } catch {
    return undefined
  }
}

/** The key of a word that was signed by the one it claims; undefined: it was not, or says something else. */
async function vouchedFor(word: string): Promise<ReplyKey | undefined> {
  try {
    const { payload } = await compactVerify(
      word,
      async ({ typ, kid, jwk }) => {
        if (typ !== successionKind.typ || jwk === undefined) throw new Error('it is no succession')
        // The fingerprint alone is trusted: the key beside it counts when it is that one.
        if ((await calculateJwkThumbprint(jwk)) !== kid) throw new Error('it names another key')
        return importJWK(jwk, successionKind.algorithm)
      },
      { algorithms: [successionKind.algorithm] },
    )
    const { key } = z.parse(Succession, JSON.parse(new TextDecoder().decode(payload)))
    return (await calculateJwkThumbprint(key)) === key.kid ? key : undefined
  } catch {
    return undefined
  }
}
