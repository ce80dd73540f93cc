/** Checks the signature of the user who is signed in, over a text. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Authorities } from './authorities.ts'
import type { SessionEnv } from './sessions.ts'
import { describeCertificate, isForSignatures, isSameUser, isValidAt } from './user-certificate.ts'

const base64 = z.pipe(
  z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  z.transform((text: string) => Buffer.from(text, 'base64')),
)

const SignedText = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(10_000)),
  /** The certificate that the card has for signatures, DER. */
  certificate: base64,
  /** Over the text in UTF-8, with SHA-256: PKCS #1 v1.5, or r and s one after the other. */
  signature: base64,
})
type SignedText = z.output<typeof SignedText>

/** In an application of yours, ask as well whether the certificate was revoked, and keep text, signature and answer. */
export function createSignatureRoutes(authorities: Authorities): Hono<SessionEnv> {
  const app = new Hono<SessionEnv>()
  app.post('/signatures', async (context) => {
    const { user } = context.get('session')
    if (!user) return context.text('Sign in first', 403)
    const { data } = z.safeParse(SignedText, await context.req.json().catch(() => undefined))
    const certificate = data && readCertificate(data.certificate)
    if (!data || !certificate) {
      return context.text('Cannot read the signature: expected text, certificate, signature', 400)
    }
    const refusal = await findRefusal(data, certificate, user, authorities)
    if (refusal !== undefined) return context.text(refusal, 403)
    const digest = createHash('sha256').update(data.text).digest('hex')
    return context.json({ ...describeCertificate(certificate), text: data.text, digest })
  })
  return app
}

async function findRefusal(
  { text, signature }: SignedText,
  certificate: X509Certificate,
  user: X509Certificate,
  authorities: Authorities,
): Promise<string | undefined> {
  if (!isSameUser(certificate, user)) {
    return 'This card doesn’t belong to the signed-in user. Insert the card that you signed in with'
  }
  if (!isValidAt(certificate, new Date())) {
    return 'The signature certificate on this card isn’t valid now. Use another card'
  }
  if (!(await authorities.findIssuer(certificate))) {
    return 'This application doesn’t accept cards from this issuer. Use another card'
  }
  if (!isForSignatures(certificate)) {
    return 'The certificate on this card isn’t for signatures. Use another card'
  }
  return isSignedBy(certificate, text, signature)
    ? undefined
    : 'The signature doesn’t match this text and this card. Try again'
}

function isSignedBy(certificate: X509Certificate, text: string, signature: Buffer): boolean {
  try {
    const key = { key: certificate.publicKey, dsaEncoding: 'ieee-p1363' } as const
    return verify('sha256', Buffer.from(text), key, signature)
  } catch {
    // A key that signs otherwise, such as Ed25519, or one that cannot be read.
    return false
  }
}

function readCertificate(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}
