/** The OpenAPI document of the service, and the page that shows it. */
import { dsOperations } from '@cardwire/client/protocol'
import { createOpenApiDocument } from '@cardwire/client/protocol/openapi'
import type { Hono } from 'hono'
import type { AppEnv } from '../http/bind.ts'
import type { Services } from '../services.ts'
import { version } from '../version.ts'

/** These routes are for people and tools; they are no operations of the contract. */
export function addDocumentRoutes(app: Hono<AppEnv>, { viewer }: Services): void {
  let document: string | undefined
  app.get('/openapi.json', (context) => {
    // Created with the first request: it takes longer than all else of a start together.
    document ??= createDocument()
    return context.body(document, 200, {
      'content-type': 'application/json',
      'cache-control': 'no-cache',
    })
  })
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
      const bytes = await viewer.readFile(name)
      return context.body(bytes, 200, { ...cached, 'content-type': type })
    })
  }
}

const createDocument = (): string =>
  JSON.stringify(
    createOpenApiDocument(dsOperations, {
      title: 'Cardwire distribution service',
      version,
      description:
        "Registers versions of the connector, their installers and configurations, organizations and labels; exchanges a label's API key for an application token; serves installers.",
      server: '.',
    }),
  )

/** The files of the viewer that its page loads; no other file is served. */
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

/** The viewer has a dark style; this applies it when the browser prefers one. */
const viewerStart = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyScheme)
applyScheme()
SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })
`
