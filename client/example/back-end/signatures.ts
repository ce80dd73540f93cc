/** Checks the signature of the user who is signed in, over a text. */
import { createHash, X509Certificate } from 'node:crypto'
import { SignatureError, type SignatureFailure, verifySignature } from '@cardwire/server'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Authorities } from './authorities.ts'
import type { SessionEnv } from './sessions.ts'
import { describeCertificate, isSameUser } from './user-certificate.ts'

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

/** Revocation is not checked, because test cards have no CA that responds. In your application, pass `revocation`, and keep text and signature. */
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

/** Undefined: the signature is accepted. */
async function findRefusal(
  { text, signature }: SignedText,
  certificate: X509Certificate,
  user: X509Certificate,
  authorities: Authorities,
): Promise<string | undefined> {
  if (!isSameUser(certificate, user)) {
    return 'This card doesn’t belong to the signed-in user. Insert the card that you signed in with'
  }
  const roots = await authorities.load()
  if (roots === undefined) return refusals['certificate-untrusted']
  try {
    await verifySignature({
      content: Buffer.from(text),
      hash: 'SHA-256',
      signature,
      certificate: certificate.raw,
      roots: [roots],
    })
    return undefined
  } catch (error) {
    const sentence = error instanceof SignatureError ? refusals[error.reason] : undefined
    if (sentence === undefined) throw error
    return sentence
  }
}

const isNotValid = 'The signature certificate on this card isn’t valid now. Use another card'
const doesNotMatch = 'The signature doesn’t match this text and this card. Try again'

/** What the user reads; a reason without a sentence is a defect of this application. */
const refusals: Readonly<Partial<Record<SignatureFailure, string>>> = {
  'certificate-expired': isNotValid,
  'certificate-not-yet-valid': isNotValid,
  'certificate-untrusted':
    'This application doesn’t accept cards from this issuer. Use another card',
  'certificate-unsuitable': 'The certificate on this card isn’t for signatures. Use another card',
  'key-unsupported': doesNotMatch,
  'signature-invalid': doesNotMatch,
}

function readCertificate(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}
