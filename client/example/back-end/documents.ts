/** Has the user who is signed in sign an order, as a PDF: prepared here, signed by the card, completed and checked here. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { completePdfSignature, preparePdfSignature, verifyPdfSignatures } from '@cardwire/server'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { SessionEnv } from './sessions.ts'
import { bytes, readBody, refuseBody, type WithSigner } from './signer.ts'

const Signer = z.object({ certificate: bytes })
const Signature = z.object({ signature: bytes })

const order = new URL('./order.pdf', import.meta.url)
/** The box on its page for the signature. */
const appearance = { page: 1, rectangle: { x: 56, y: 420, width: 240, height: 72 } }

/** In your application, keep the signed PDF with what the check returned. */
export function createDocumentRoutes(withSigner: WithSigner): Hono<SessionEnv> {
  const app = new Hono<SessionEnv>()

  app.post('/documents/prepare', async (context) => {
    const body = await readBody(context, Signer)
    if (!body) return refuseBody(context, 'certificate')
    const { certificate } = body
    return withSigner(context, certificate, async () => {
      const pdf = await readFile(order)
      const { hash, digest, state } = await preparePdfSignature({ pdf, certificate, appearance })
      // What the card signs is decided here, whatever the page sends later.
      context.get('session').prepared = { state, certificate }
      return { hash, digest: Buffer.from(digest).toString('base64') }
    })
  })

  app.post('/documents/complete', async (context) => {
    const session = context.get('session')
    const { prepared } = session
    delete session.prepared
    const body = await readBody(context, Signature)
    if (!body) return refuseBody(context, 'signature')
    if (!prepared) return context.text('This took too long. Sign again', 409)
    return withSigner(context, prepared.certificate, async (trust) => {
      const pdf = await completePdfSignature(prepared.state, body.signature)
      const [checked] = await verifyPdfSignatures(pdf, trust)
      if (!checked?.valid) {
        throw Object.assign(new Error(checked?.message), { reason: checked?.reason })
      }
      session.signedPdf = pdf
      return { digest: createHash('sha256').update(pdf).digest('hex') }
    })
  })

  app.get('/documents/order.pdf', async (context) =>
    sendPdf(context, await readFile(order), 'inline'),
  )
  app.get('/documents/signed-order.pdf', (context) => {
    const { signedPdf } = context.get('session')
    if (!signedPdf) return context.text('You haven’t signed the order', 404)
    return sendPdf(context, signedPdf, 'attachment; filename="signed-order.pdf"')
  })
  return app
}

function sendPdf(context: Context, pdf: Uint8Array<ArrayBuffer>, disposition: string): Response {
  context.header('content-type', 'application/pdf')
  context.header('content-disposition', disposition)
  context.header('cache-control', 'no-store')
  return context.body(pdf)
}
