/** Whether a reply is the service's word for this device and this request; anything else never was. */
import { clockSkewS, type Jwk, replyKind, SyncReply } from '@cardwire/client/protocol'
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose'
import * as z from 'zod/mini'

/** A public key of the service; `kid` is its fingerprint (RFC 7638, SHA-256, base64url). */
export type ReplyKey = z.output<typeof Jwk>

/** Signed by a key that was not announced. */
export class UnknownKey extends Error {
  readonly kid: string | undefined

  constructor(kid: string | undefined) {
    super(
      'its key is not one that was announced; where the service has others now, name them in CARDWIRE_DS_FINGERPRINTS beside CARDWIRE_INSTALLATION_KEY',
    )
    this.kid = kid
  }
}

interface Expected {
  readonly device: string
  /** The request in flight; undefined for a reply that was kept, which has answered long ago. */
  readonly request: { readonly jti: string; readonly now: number } | undefined
}

/** The payload of a genuine reply, signed by one of the keys that were pinned. Throws for every other one. */
export async function openReply(
  jws: string,
  keys: readonly ReplyKey[],
  { device, request }: Expected,
): Promise<SyncReply> {
  const { payload } = await compactVerify(
    jws,
    async ({ kid, typ }) => {
      if (typ !== replyKind.typ) throw new Error('it is no reply')
      const key = keys.find((one) => one.kid === kid)
      if (key === undefined || (await calculateJwkThumbprint(key)) !== kid)
        throw new UnknownKey(kid)
      return importJWK(key, replyKind.algorithm)
    },
    { algorithms: [replyKind.algorithm] },
  )
  const read = z.safeParse(SyncReply, JSON.parse(new TextDecoder().decode(payload)))
  if (!read.success) throw new Error('it does not say what a reply has to say')
  const reply = read.data
  if (reply.aud !== device) throw new Error('it is for another device')
  if (request === undefined) return reply
  if (reply.re !== request.jti) throw new Error('it answers another request')
  // The service has just found our clock near enough: what is farther off than that was not said now.
  if (Math.abs(reply.iat * 1000 - request.now) > 2 * clockSkewS * 1000) {
    throw new Error('it is from another time')
  }
  return reply
}
