/** The routes of the back end: the page, its settings, and application tokens for it. */
import { applicationTokens } from '@cardwire/client/server'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { createGuards } from './guards.ts'
import { createPageRoutes } from './page-files.ts'
import { createSessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import { createCardHandler } from './virtual-card.ts'

/** `onAddress` receives the address that a person opens; each works once. */
export function createApp(
  { origin, dsUrl, apiKey, registryPort, cardFile, forDeveloper }: Settings,
  onAddress: (address: string) => void,
): Hono {
  const app = new Hono()
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
        // The registry has one port, and every connector one of its own.
        connectSrc: ["'self'", 'https://localhost:*'],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
      // The page is served over http on this machine alone.
      strictTransportSecurity: false,
      referrerPolicy: 'no-referrer',
    }),
  )
  app.use(requireOwnHost, acceptKey)
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
    return context.json({ configuration, virtualCard: cardFile !== undefined, forDeveloper })
  })

  if (cardFile !== undefined) app.post('/demo/card', requireOwnPage, createCardHandler(cardFile))
  app.route('/', createPageRoutes())

  app.onError((error, context) => {
    process.stderr.write(`${context.req.method} ${context.req.path}: ${error.message}\n`)
    // The reason is in the log alone.
    return context.text('Cannot answer now: try again in a minute', 503)
  })
  return app
}
