/** What the back end answers: the page, what the page has to know, and application tokens for it. */
import { applicationTokens } from '@cardwire/client/server'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { guards } from './guards.ts'
import { pageFiles } from './page-files.ts'
import type { Settings } from './settings.ts'
import { virtualCard } from './virtual-card.ts'

export function createApp({ origin, dsUrl, apiKey, registryPort, cardFile }: Settings): Hono {
  const app = new Hono()
  const { ownHost, ownPage } = guards(origin)
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
  app.use(ownHost)

  // An application of yours asks here who is logged in: the token is what a connector takes for "this is the application".
  app.get('/token', ownPage, async (context) => {
    context.header('cache-control', 'no-store')
    return context.text(await tokens.token())
  })

  app.get('/configuration', (context) => {
    context.header('cache-control', 'no-store')
    const configuration = { dsUrl, t1cApiPort: registryPort, applicationDomain: 'example' }
    return context.json({ configuration, virtualCard: cardFile !== undefined })
  })

  if (cardFile !== undefined) app.post('/demo/card', ownPage, virtualCard(cardFile))
  app.route('/', pageFiles())

  app.onError((error, context) => {
    process.stderr.write(`${context.req.method} ${context.req.path}: ${error.message}\n`)
    return context.text('Cannot answer: the reason is in the log of the back end', 503)
  })
  return app
}
