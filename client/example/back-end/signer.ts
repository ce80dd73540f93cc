/** What a user signs, and with which certificate: only their own, from an authority that the application trusts. */
import { X509Certificate } from 'node:crypto'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { Trust } from './authorities.ts'
import { describeRefusal, noAuthorities, otherUser } from './refusals.ts'
import type { SessionEnv } from './sessions.ts'
import { describeCertificate, isSameUser } from './user-certificate.ts'

/** Base64 in a request. */
export const bytes = z.pipe(
  z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  z.transform((text: string) => new Uint8Array(Buffer.from(text, 'base64'))),
)

/** The body; undefined if it is something else. */
export async function readBody<T>(
  { req }: Context,
  schema: z.ZodMiniType<T>,
): Promise<T | undefined> {
  return z.safeParse(schema, await req.json().catch(() => undefined)).data
}

export const refuseBody = (context: Context, expected: string): Response =>
  context.text(`Cannot read the signature: expected ${expected}`, 400)

/** Does work with a certificate of the user who is signed in, and responds with what the page shows of both. */
export type WithSigner = (
  context: Context<SessionEnv>,
  certificate: Uint8Array,
  work: (trust: Trust) => Promise<object>,
) => Promise<Response>

export const createWithSigner =
  (loadTrust: () => Promise<Trust | undefined>): WithSigner =>
  async (context, der, work) => {
    const { user } = context.get('session')
    if (!user) return context.text('Sign in first', 403)
    const trust = await loadTrust()
    if (!trust) return context.text(noAuthorities, 409)
    const certificate = readCertificate(der)
    if (!certificate) return refuseBody(context, 'a certificate in DER')
    if (!isSameUser(certificate, user)) return context.text(otherUser, 403)
    try {
      return context.json({ ...describeCertificate(certificate), ...(await work(trust)) })
    } catch (error) {
      return context.text(describeRefusal(error), 403)
    }
  }

function readCertificate(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}
