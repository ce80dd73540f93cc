/** Signs a user in by a card: a nonce for the page, and the check of what the card made of it. */
import { randomBytes, X509Certificate } from 'node:crypto'
import { verifyAuthentication } from '@cardwire/server'
import { Hono } from 'hono'
import type { Trust } from './authorities.ts'
import { describeRefusal, noAuthorities } from './refusals.ts'
import type { SessionEnv } from './sessions.ts'
import { describeCertificate } from './user-certificate.ts'

/** How long a user has from the press of the button to the PIN, in milliseconds. */
const nonceLifeMs = 5 * 60 * 1000
const nonceBytes = 32

export function createSignInRoutes(
  origin: string,
  loadTrust: () => Promise<Trust | undefined>,
): Hono<SessionEnv> {
  const app = new Hono<SessionEnv>()

  app.post('/nonce', async (context) => {
    // Before anybody enters a PIN for nothing.
    if ((await loadTrust()) === undefined) return context.text(noAuthorities, 409)
    const value = randomBytes(nonceBytes).toString('base64')
    context.get('session').nonce = { value, expires: Date.now() + nonceLifeMs }
    context.header('cache-control', 'no-store')
    return context.text(value)
  })

  app.post('/sign-in', async (context) => {
    const session = context.get('session')
    const { nonce } = session
    // Once, whatever becomes of it.
    delete session.nonce
    if (!nonce || nonce.expires < Date.now()) {
      return context.text('This took too long. Sign in again', 409)
    }
    const trust = await loadTrust()
    if (trust === undefined) return context.text(noAuthorities, 409)
    try {
      const options = { origin, nonce: nonce.value, ...trust }
      const { certificate, algorithm } = await verifyAuthentication(
        await context.req.text(),
        options,
      )
      session.user = new X509Certificate(certificate)
      return context.json({ ...describeCertificate(session.user), algorithm })
    } catch (error) {
      return context.text(describeRefusal(error), 403)
    }
  })

  app.get('/user', (context) => {
    const { user } = context.get('session')
    context.header('cache-control', 'no-store')
    return context.json(user ? describeCertificate(user) : null)
  })

  app.post('/sign-out', (context) => {
    const session = context.get('session')
    delete session.user
    delete session.prepared
    delete session.signedPdf
    return context.body(null, 204)
  })
  return app
}
