/** The checks that every request passes before anything is done for it, in their order. */
import { entriesFor, Problem } from '@cardwire/client/protocol'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import type { ApiEnv } from '../api/bind.ts'
import type { Log } from '../system/log.ts'

/** What the checks go by; the API and the registry have their own. */
export interface DoorParts {
  readonly log: Log
  /** The names in the certificates that are served, lower case. */
  readonly names: () => ReadonlySet<string>
  /** The origins whose pages may ask at all. */
  readonly allowlist: () => readonly string[]
}

/** The headers that deployed clients send; a preflight is told of no others. */
const knownHeaders = [
  'x-csrf-token',
  'x-t1c-billing-tag',
  'authorization',
  'content-type',
  'x-pace-pin',
  'x-pace-can',
  'x-xsrf-token',
]
const methods = 'GET, POST, PUT, PATCH, DELETE'
/** Seconds a browser may remember a preflight; the first requests of deployed clients have one second in all. */
const maxAgeS = '600'
/** What every version of the client library sends, and no page can send across origins without being asked. */
const csrfToken = 't1c-js'
/** What browsers send; a log keeps nothing else (w3.org/TR/fetch-metadata). */
const sites = ['cross-site', 'same-site', 'same-origin']
/** The most bytes of header; Bun's own limit lies above it and has an empty answer. */
const largestHeader = 16 * 1024

export function gate(parts: DoorParts): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { req } = context
    const origin = req.header('origin')
    checkHost(req.header('host'), parts)
    if (origin !== undefined) checkOrigin(origin, parts)

    if (req.method === 'OPTIONS' && origin !== undefined) {
      return context.body(null, 204, {
        ...leave(origin),
        'access-control-allow-methods': methods,
        'access-control-allow-headers': asked(req.header('access-control-request-headers')),
        'access-control-max-age': maxAgeS,
      })
    }
    await next()
    if (origin !== undefined) {
      for (const [name, value] of Object.entries(leave(origin)))
        context.res.headers.set(name, value)
    }
    return
  }
}

/** The checks behind the one above: what fails here carries the headers that let a page read why. */
export function manners({ log }: Pick<DoorParts, 'log'>): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { req } = context
    const site = req.header('sec-fetch-site')
    // A page's <img> and its no-cors requests name no origin; what a person typed into the address bar says "none".
    if (req.header('origin') === undefined && site !== undefined && site !== 'none') {
      log.warn('page without origin', { site: sites.includes(site) ? site : 'unknown' })
      throw new Problem(
        'page-unnamed',
        'Cannot answer a page that does not name its origin: ask with fetch and CORS',
      )
    }
    const size = [...req.raw.headers].reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      0,
    )
    if (size > largestHeader) {
      throw new Problem(
        'header-too-large',
        `Cannot read the request: its header has more than ${largestHeader} bytes`,
      )
    }
    if (req.header('x-csrf-token') !== csrfToken) {
      throw new Problem(
        'csrf-header-missing',
        `Cannot answer: the header X-CSRF-Token has to be "${csrfToken}"`,
      )
    }
    checkContentType(req)
    await next()
  }
}

/** DNS rebinding ends here: only names that the certificates carry are answered. */
function checkHost(
  host: string | undefined,
  { names, log }: Pick<DoorParts, 'names' | 'log'>,
): void {
  const name = hostName(host ?? '')
  // A wildcard stands for one label.
  if (names().has(name) || names().has(name.replace(/^[^.]+(?=\..*\.)/, '*'))) return
  log.warn('host refused', { host: /^[\w.:*-]{1,253}$/.test(name) ? name : 'no name' })
  throw new Problem(
    'host-refused',
    'Cannot answer: this is not a name of the connector, use localhost',
  )
}

/** The name without port, case and final dot. */
function hostName(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  return name.startsWith('[') ? name.slice(1, -1) : name
}

function checkOrigin(
  origin: string,
  { allowlist, log }: Pick<DoorParts, 'allowlist' | 'log'>,
): void {
  const allowed = allowlist()
  if (entriesFor(origin.toLowerCase()).some((entry) => allowed.includes(entry))) return
  log.warn('origin refused', { origin: readable(origin) })
  throw new Problem(
    'origin-refused',
    'Cannot answer: the origin of this page is not on the allowlist',
  )
}

/** As a browser writes it; whoever sends more than that, or something else, has the rest kept out of the log. */
function readable(origin: string): string {
  if (origin === 'null' || !URL.canParse(origin)) return origin === 'null' ? origin : 'no origin'
  const { protocol, host } = new URL(origin)
  return `${protocol}//${host}`.slice(0, 200)
}

/** Every body of the contract is JSON; only that makes a browser ask before it sends one. */
function checkContentType(req: HonoRequest): void {
  const hasBody =
    Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined
  const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (!hasBody || type === 'application/json') return
  throw new Problem(
    'content-type-unsupported',
    'Cannot read the body: its content type has to be application/json',
  )
}

const asked = (requested: string | undefined) =>
  (requested ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => knownHeaders.includes(name))
    .join(', ')

const leave = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
})
