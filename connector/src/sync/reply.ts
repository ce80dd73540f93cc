/** Whether a reply is the service's word for this device and this request; anything else never was. */
import { type Jwk, replyKind, SyncReply } from '@cardwire/client/protocol'
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose'
import * as z from 'zod/mini'

/** A public key of the service; `kid` is its fingerprint (RFC 7638, SHA-256, base64url). */
export type ReplyKey = z.output<typeof Jwk>

export interface Expected {
  readonly device: string
  /** `jti` of the request; undefined for a reply that was kept, which has answered long ago. */
  readonly re: string | undefined
}

/** The payload of a genuine reply, signed by one of the keys that were pinned. Throws for every other one. */
export async function openReply(
  jws: string,
  keys: readonly ReplyKey[],
  { device, re }: Expected,
): Promise<SyncReply> {
  const { payload } = await compactVerify(
    jws,
    async ({ kid, typ }) => {
      if (typ !== replyKind.typ) throw new Error('it is no reply')
      const key = keys.find((one) => one.kid === kid)
      if (key === undefined || (await calculateJwkThumbprint(key)) !== kid)
        throw new Error('its key is not one that was announced')
      return importJWK(key, replyKind.algorithm)
    },
    { algorithms: [replyKind.algorithm] },
  )
  const reply = z.parse(SyncReply, JSON.parse(new TextDecoder().decode(payload)))
  if (reply.aud !== device) throw new Error('it is for another device')
  if (re !== undefined && reply.re !== re) throw new Error('it answers another request')
  return reply
}
