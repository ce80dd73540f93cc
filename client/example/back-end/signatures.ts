/** Checks the signature of the user who is signed in, over a text. */
import { createHash } from 'node:crypto'
import { verifySignature } from '@cardwire/server'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { SessionEnv } from './sessions.ts'
import { bytes, readBody, refuseBody, type WithSigner } from './signer.ts'

const SignedText = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(10_000)),
  /** The certificate that the card has for signatures, DER. */
  certificate: bytes,
  /** Over the text in UTF-8, with SHA-256, as `card.sign` returns it. */
  signature: bytes,
})

/** In your application, keep the text with its signature, and with what the check returned. */
export function createSignatureRoutes(withSigner: WithSigner): Hono<SessionEnv> {
  const app = new Hono<SessionEnv>()
  app.post('/signatures', async (context) => {
    const body = await readBody(context, SignedText)
    if (!body) return refuseBody(context, 'text, certificate and signature')
    return withSigner(context, body.certificate, async (trust) => {
      const { text, certificate, signature } = body
      const content = new TextEncoder().encode(text)
      await verifySignature({ ...trust, content, hash: 'SHA-256', signature, certificate })
      return { text, digest: createHash('sha256').update(content).digest('hex') }
    })
  })
  return app
}
