/** What the service says of itself: status, health, metrics, its document and the page that shows it. */
import { dsOperations, health, metrics, Problem, systemStatus } from '@cardwire/client/protocol'
import { openapi } from '@cardwire/client/protocol/openapi'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { consumers } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { version } from '../version.ts'
import type { AppEnv, Bind } from './bind.ts'

export function systemRoutes(bind: Bind, services: Services): void {
  bind(systemStatus, async () => ({ data: { isAlive: true } }))

  bind(health, async (_, context) => {
    await services.db.select({ one: sql`1` }).from(consumers).limit(1)
    context.header('cache-control', 'no-store')
    return { status: 'ok' as const, version }
  })

  bind(metrics, async () => {
    if (!services.metrics) {
      throw new Problem(
        'route-unknown',
        'Cannot show metrics: this runtime keeps none, its platform does',
      )
    }
    const { media, text } = await services.metrics.render()
    return new Response(text, { headers: { 'content-type': media, 'cache-control': 'no-store' } })
  })
}

/** The document and its page are for people and tools, not operations of the contract. */
export function documentRoutes(app: Hono<AppEnv>, { viewer, url }: Services): void {
  const operations = dsOperations
  const document = JSON.stringify(
    openapi(operations, {
      title: 'Cardwire distribution service',
      version,
      description:
        "Registers versions of the connector, their installers and configurations, organizations and labels; exchanges a label's API key for an application token; serves installers.",
      server: url,
    }),
  )
  app.get('/openapi.json', (context) =>
    context.body(document, 200, {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    }),
  )
  app.get('/', (context) => context.redirect('docs'))
  app.get('/docs', (context) => {
    context.header('content-security-policy', viewerPolicy)
    return context.html(viewerPage)
  })
  app.get('/docs/start.js', (context) =>
    context.body(viewerStart, 200, { ...cached, 'content-type': 'text/javascript' }),
  )
  for (const [name, type] of Object.entries(viewerFiles)) {
    app.get(`/docs/${name}`, async (context) => {
      const bytes = await viewer.file(name)
      return context.body(bytes, 200, { ...cached, 'content-type': type })
    })
  }
}

/** The files of the viewer that its page loads; no other is handed out. */
const viewerFiles = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
}
const cached = { 'cache-control': 'public, max-age=3600' }

const viewerPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

const viewerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cardwire distribution service: API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
<main id="api"></main>
<noscript>This page needs JavaScript; the document itself is at <a href="openapi.json">/openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/** The viewer has a dark style, but does not look for who wants it. */
const viewerStart = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })
`
