/** Verifies the signed reply of the distribution service to one synchronization of this device. */
import { clockSkewS } from '@cardwire/protocol/assertion'
import { replyKind, SyncReply } from '@cardwire/protocol/sync'
import { Jwk } from '@cardwire/protocol/token'
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose'
import * as z from 'zod/mini'

/** A public key that signs replies; `kid` is its fingerprint (RFC 7638, SHA-256, base64url). */
export type ResponseSigningKey = z.output<typeof Jwk>

/** The content of a whole reply, which stays in force until the next one. */
export type Policy = Extract<SyncReply, { unchanged: false }>

/** The reply names a key that is not trusted; the signature is not verified. */
export class UnknownResponseSigningKey extends Error {
  readonly kid: string | undefined
  /** The key of that fingerprint, where the reply has it. */
  readonly key: ResponseSigningKey | undefined

  constructor(kid: string | undefined, key?: ResponseSigningKey) {
    super(
      'its key is not one that was announced; where the service has others now, name them in CARDWIRE_DS_FINGERPRINTS',
    )
    this.kid = kid
    this.key = key
  }
}

interface ReplyContext {
  readonly device: string
  /** The request in flight; undefined for a stored reply, whose request was answered long ago. */
  readonly request: { readonly jti: string; readonly now: number } | undefined
}

export interface VerifiedReply {
  readonly reply: SyncReply
  /** The trusted key that signed it. */
  readonly signer: ResponseSigningKey
}

/** Throws when the reply was not signed by one of `keys`, or is for another device, request or time. */
export async function verifyReply(
  jws: string,
  keys: readonly ResponseSigningKey[],
  { device, request }: ReplyContext,
): Promise<VerifiedReply> {
  const { reply, signer } = await verifySignature(jws, keys)
  if (reply.aud !== device) throw new Error('it is for another device')
  if (request === undefined) return { reply, signer }
  if (reply.re !== request.jti) throw new Error('it belongs to a different request')
  // The service has just accepted our clock within the allowed skew: a reply farther off was not made now.
  if (Math.abs(reply.iat * 1000 - request.now) > 2 * clockSkewS * 1000) {
    throw new Error('it is from another time')
  }
  return { reply, signer }
}

async function verifySignature(
  jws: string,
  keys: readonly ResponseSigningKey[],
): Promise<VerifiedReply> {
  const { payload, protectedHeader } = await compactVerify(
    jws,
    async ({ kid, typ, jwk }) => {
      if (typ !== replyKind.typ) throw new Error('it is not a reply')
      return importJWK(await findKey(keys, kid, jwk), replyKind.algorithm)
    },
    { algorithms: [replyKind.algorithm] },
  )
  const parsed = z.safeParse(SyncReply, JSON.parse(new TextDecoder().decode(payload)))
  if (!parsed.success) {
    const [field = ''] = parsed.error.issues.map(({ path }) => path.join('.'))
    throw new Error(`it lacks what a reply has to contain, or its "${field}" is not valid`)
  }
  return { reply: parsed.data, signer: await findKey(keys, protectedHeader.kid) }
}

async function findKey(
  keys: readonly ResponseSigningKey[],
  kid: string | undefined,
  offered?: unknown,
): Promise<ResponseSigningKey> {
  const key = keys.find((one) => one.kid === kid)
  if (key !== undefined && (await calculateJwkThumbprint(key)) === kid) return key
  const { data } = z.safeParse(Jwk, offered)
  const isNamed = data?.kid === kid && data && (await calculateJwkThumbprint(data)) === kid
  throw new UnknownResponseSigningKey(kid, isNamed ? data : undefined)
}
