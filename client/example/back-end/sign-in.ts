/** Signs a user in by a card: a nonce for the page, and the check of what the card made of it. */
import { randomBytes, X509Certificate } from 'node:crypto'
import {
  AuthenticationError,
  type AuthenticationFailure,
  verifyAuthentication,
} from '@cardwire/server'
import { Hono } from 'hono'
import type { Authorities } from './authorities.ts'
import type { SessionEnv } from './sessions.ts'
import { describeCertificate } from './user-certificate.ts'

/** How long a user has from the press of the button to the PIN, in milliseconds. */
const nonceLifeMs = 5 * 60 * 1000
const nonceBytes = 32

const noAuthorities =
  'You can’t sign in here yet because this application doesn’t trust any certificate authority'

/** Revocation is not checked, because test cards have no CA that responds. In your application, pass `revocation`. */
export function createSignInRoutes(origin: string, authorities: Authorities): Hono<SessionEnv> {
  const app = new Hono<SessionEnv>()

  app.post('/nonce', async (context) => {
    // Before anybody enters a PIN for nothing.
    if ((await authorities.load()) === undefined) return context.text(noAuthorities, 409)
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
    const roots = await authorities.load()
    if (roots === undefined) return context.text(noAuthorities, 409)
    try {
      const token = await context.req.text()
      const options = { origin, nonce: nonce.value, roots: [roots] }
      const { certificate, algorithm } = await verifyAuthentication(token, options)
      session.user = new X509Certificate(certificate)
      return context.json({ ...describeCertificate(session.user), algorithm })
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
      const sentence = refusals[error.reason]
      if (sentence === undefined) throw error
      return context.text(sentence, 403)
    }
  })

  app.get('/user', (context) => {
    const { user } = context.get('session')
    context.header('cache-control', 'no-store')
    return context.json(user ? describeCertificate(user) : null)
  })

  app.post('/sign-out', (context) => {
    delete context.get('session').user
    return context.body(null, 204)
  })
  return app
}

/** What the user reads; undefined: it is a defect of this application. */
const refusals: Readonly<Record<AuthenticationFailure, string | undefined>> = {
  'settings-invalid': undefined,
  'token-malformed': 'The card’s answer couldn’t be read. Try again',
  'key-unsupported': 'This application doesn’t support the key on this card. Use another card',
  'certificate-expired': 'The certificate on this card has expired. You need a new card',
  'certificate-not-yet-valid': 'The certificate on this card isn’t valid yet. Try again later',
  'certificate-unsuitable': 'The certificate on this card isn’t for signing in. Use another card',
  'certificate-untrusted':
    'This application doesn’t accept cards from this issuer. Use another card',
  'certificate-revoked': 'This card has been blocked by its issuer. Use another card',
  'revocation-unknown': 'The issuer of this card isn’t responding. Try again later',
  'signature-invalid': 'The card didn’t sign what this page asked for. Try again',
}
