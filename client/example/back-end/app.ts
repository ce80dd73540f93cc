/** The routes of the back end: the page, its settings, application tokens for it, and what a user does with a card. */
import { applicationTokens } from '@cardwire/server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import { createTrust } from './authorities.ts'
import { createDocumentRoutes } from './documents.ts'
import { createGuards } from './guards.ts'
import { createPageRoutes } from './page-files.ts'
import { createSessions, type SessionEnv } from './sessions.ts'
import type { Settings } from './settings.ts'
import { createSignInRoutes } from './sign-in.ts'
import { createSignatureRoutes } from './signatures.ts'
import { createWithSigner } from './signer.ts'
import { createCardHandler, virtualCardPin } from './virtual-card.ts'

/** Bytes of a request: a text of 10,000 characters with its signature and certificate. */
const maxBodyBytes = 65_536

const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: (context) => context.text('Cannot read the request: it is too long', 413),
})

/** `onAddress` receives the address that a user opens; each works once. */
export function createApp(
  { origin, dsUrl, apiKey, registryPort, cardFile, trustFiles, forDeveloper }: Settings,
  onAddress: (address: string) => void,
): Hono<SessionEnv> {
  const app = new Hono<SessionEnv>()
  const { acceptKey, requireSession } = createSessions({ origin, onAddress, forDeveloper })
  const { requireOwnHost, requireOwnPage } = createGuards(origin)
  const tokens = applicationTokens({ dsUrl, apiKey })

  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        // The order that users see before they sign it.
        frameSrc: ["'self'"],
        // The registry has one port, and every connector one of its own.
        connectSrc: ["'self'", 'https://localhost:*'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'self'"],
      },
      // The page is served over http on this machine alone.
      strictTransportSecurity: false,
      referrerPolicy: 'no-referrer',
    }),
  )
  app.use(requireOwnHost, limitBody, acceptKey)
  // In an application of yours, check here who is logged in.
  app.use(requireSession)

  // With this token a connector trusts the page.
  app.get('/token', requireOwnPage, async (context) => {
    context.header('cache-control', 'no-store')
    return context.text(await tokens.token())
  })

  app.get('/configuration', (context) => {
    context.header('cache-control', 'no-store')
    const configuration = { dsUrl, t1cApiPort: registryPort, applicationDomain: 'example' }
    const virtualCard = cardFile === undefined ? undefined : { pin: virtualCardPin }
    return context.json({ configuration, virtualCard, forDeveloper })
  })

  const loadTrust = createTrust(trustFiles)
  const withSigner = createWithSigner(loadTrust)
  app.use('/card/*', requireOwnPage)
  app.route('/card', createSignInRoutes(origin, loadTrust))
  app.route('/card', createSignatureRoutes(withSigner))
  app.route('/card', createDocumentRoutes(withSigner))
  if (cardFile !== undefined) app.post('/demo/card', requireOwnPage, createCardHandler(cardFile))
  app.route('/', createPageRoutes())

  app.onError((error, context) => {
    process.stderr.write(`${context.req.method} ${context.req.path}: ${error.message}\n`)
    // The reason is in the log alone.
    return context.text('This application can’t answer right now. Try again in a minute', 503)
  })
  return app
}
