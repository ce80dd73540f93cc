/** The OpenAPI document of the service, and the page that shows it. */
import { dsOperations, issueToken } from '@cardwire/protocol'
import { createOpenApiDocument } from '@cardwire/protocol/openapi'
import type { Hono } from 'hono'
import { renderApiPage } from '../http/api-page/page.ts'
import { script } from '../http/api-page/script.ts'
import { style } from '../http/api-page/style.ts'
import type { AppEnv } from '../http/bind.ts'
import { icon } from '../http/icon.ts'
import { createTextResource } from '../http/text-resource.ts'
import type { Services } from '../services.ts'
import { version } from '../version.ts'
import { toRealmPath } from './identity.ts'

/** These routes are for people and tools; they are no operations of the contract. */
export function addDocumentRoutes(app: Hono<AppEnv>, services: Services): void {
  const add = (path: string, resource: Parameters<typeof createTextResource>[0]) =>
    app.get(path, createTextResource(resource, services.digest))
  add('/openapi.json', {
    media: 'application/json',
    write: () => JSON.stringify(createDocument(services)),
  })
  add('/docs', {
    media: 'text/html',
    headers: { 'content-security-policy': pagePolicy },
    write: () => renderPage(services),
  })
  add('/docs/page.css', { media: 'text/css', write: () => style })
  add('/docs/page.js', { media: 'text/javascript', write: () => script })
  add('/docs/icon.svg', { media: 'image/svg+xml', write: () => icon })
}

/** With the paths of the provider as the settings name its realm. */
const listOperations = ({ settings: { realm } }: Services) =>
  dsOperations.map((operation) =>
    operation.tag === issueToken.tag
      ? { ...operation, path: toRealmPath(operation.path, realm.name) }
      : operation,
  )

const createDocument = (services: Services) =>
  createOpenApiDocument(listOperations(services), {
    title: 'Cardwire distribution service',
    version,
    description:
      "Registers versions of the connector, their installers and configurations, organizations and labels; exchanges a label's API key for an application token; serves installers. A body has at most 1 MiB, and its JSON nests at most 32 deep. A problem names the first 20 faults, and `description` has at most 1,000 bytes.",
    server: '.',
  })

const renderPage = (services: Services): Promise<string> => {
  const { url, settings } = services
  const { identity, realm } = settings
  return renderApiPage({
    operations: listOperations(services),
    document: createDocument(services),
    version,
    url,
    login:
      identity.kind === 'external'
        ? { issuer: identity.issuer }
        : { tokenPath: toRealmPath(issueToken.path, realm.name) },
  })
}

/** Nothing from elsewhere and nothing inline; requests go only to this service. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')
