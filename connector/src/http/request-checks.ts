/** The checks of every request, in their order: owner of the connection, host, CORS, headers. */
import { csrfToken } from '@cardwire/protocol/csrf'
import { downloadFile } from '@cardwire/protocol/file-exchange'
import { isOriginAllowed } from '@cardwire/protocol/origin'
import { Problem } from '@cardwire/protocol/problem'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import type { Log } from '../system/log.ts'
import type { FindPeerOwner } from '../system/peer-owner.ts'
import { type ApiEnv, type CallerAccount, getUser } from './route-types.ts'

/** What the checks depend on; API and registry each have their own. */
export interface RequestPolicy {
  readonly log: Log
  /** The names in the served certificates, lower case. */
  readonly names: () => ReadonlySet<string>
  readonly ownerOf: FindPeerOwner
  /** Whether it serves every account of the machine, as a registry does; otherwise only the one that it runs under. */
  readonly servesEveryone: boolean
  /** The origins whose pages are answered when the page is in a browser of this account. */
  readonly allowlist: (account: CallerAccount) => readonly string[]
}

/** The headers that legacy clients send; a preflight allows no others. */
const allowedHeaders = [
  'x-csrf-token',
  'x-t1c-billing-tag',
  'authorization',
  'content-type',
  'x-pace-pin',
  'x-pace-can',
  'x-xsrf-token',
]
const allowedMethods = 'GET, POST, PUT, PATCH, DELETE'
/** Seconds a browser may cache a preflight; the first requests of legacy clients have one second in all. */
const preflightMaxAgeS = '600'
/** Sent by browsers of browsers; others are not logged (w3.org/TR/fetch-metadata). */
const fetchSites = ['cross-site', 'same-site', 'same-origin']
/** Bytes of all headers; Bun has a higher limit of its own, and answers with an empty response. */
const maxHeaderBytes = 16 * 1024

/**
 * Finds out whose process sends the request, before anything in it is looked at: another account, which can send any header,
 * learns from no response which origins, consents or names this connector has.
 */
export function checkOwner({
  ownerOf,
  servesEveryone,
  log,
}: Pick<RequestPolicy, 'ownerOf' | 'servesEveryone' | 'log'>): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { peer, port } = context.env
    const owner = peer && (await ownerOf(peer, port))
    if (owner === undefined || owner.kind === 'gone') {
      throw new Problem('caller-refused', 'Cannot respond: the connection was closed meanwhile')
    }
    if (owner.kind === 'other' && !servesEveryone) {
      log.warn('another user refused', { user: owner.user })
      throw new Problem('caller-refused', 'Cannot respond: this connector belongs to another user')
    }
    context.set('account', owner)
    await next()
  }
}

export function checkHostAndCors(policy: RequestPolicy): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { req } = context
    const origin = req.header('origin')
    checkHost(req.header('host'), context.get('account'), policy)
    if (origin !== undefined) checkOrigin(origin, context.get('account'), policy)

    if (req.method === 'OPTIONS' && origin !== undefined) {
      return context.body(null, 204, {
        ...createCorsHeaders(origin),
        'access-control-allow-methods': allowedMethods,
        'access-control-allow-headers': toAllowedHeaders(
          req.header('access-control-request-headers'),
        ),
        'access-control-max-age': preflightMaxAgeS,
      })
    }
    await next()
    if (origin !== undefined) {
      for (const [name, value] of Object.entries(createCorsHeaders(origin)))
        context.res.headers.set(name, value)
    }
    return
  }
}

/** The remaining checks; a page can read their problems, because the CORS headers are set by `checkHostAndCors`. */
export function checkHeaders({ log }: Pick<RequestPolicy, 'log'>): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const { req } = context
    const site = req.header('sec-fetch-site')
    // An <img> and a no-cors request carry no origin; an address typed by a user carries "none".
    if (req.header('origin') === undefined && site !== undefined && site !== 'none') {
      log.warn('page without origin', {
        site: fetchSites.includes(site) ? site : 'unknown',
        user: getUser(context.get('account')),
      })
      throw new Problem(
        'page-unnamed',
        'Cannot respond to a page that does not name its origin: ask with fetch and CORS',
      )
    }
    const size = [...req.raw.headers].reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      0,
    )
    if (size > maxHeaderBytes) {
      throw new Problem(
        'header-too-large',
        `Cannot read the request: its header has more than ${maxHeaderBytes} bytes`,
      )
    }
    if (req.header('x-csrf-token') !== csrfToken) {
      throw new Problem(
        'csrf-header-missing',
        `Cannot respond: the header X-CSRF-Token has to be "${csrfToken}"`,
      )
    }
    checkContentType(req)
    await next()
  }
}

/** Against DNS rebinding: only names in the certificates are answered. */
function checkHost(
  host: string | undefined,
  account: CallerAccount,
  { names, log }: Pick<RequestPolicy, 'names' | 'log'>,
): void {
  const name = toHostName(host ?? '')
  // A wildcard matches one label.
  if (names().has(name) || names().has(name.replace(/^[^.]+(?=\..*\.)/, '*'))) return
  log.warn('host refused', {
    host: /^[\w.:*-]{1,253}$/.test(name) ? name : 'no name',
    user: getUser(account),
  })
  throw new Problem(
    'host-refused',
    'Cannot respond: this is not a name of the connector, use localhost',
  )
}

/** The name without port, case and final dot. */
function toHostName(host: string): string {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  return name.startsWith('[') ? name.slice(1, -1) : name
}

function checkOrigin(
  origin: string,
  account: CallerAccount,
  { allowlist, log }: Pick<RequestPolicy, 'allowlist' | 'log'>,
): void {
  if (isOriginAllowed(origin, allowlist(account))) return
  log.warn('origin refused', { origin: toLoggableOrigin(origin), user: getUser(account) })
  throw new Problem(
    'origin-refused',
    'Cannot respond: the origin of this page is not on the allowlist',
  )
}

/** An origin as a browser writes it; everything else is kept out of the log. */
function toLoggableOrigin(origin: string): string {
  if (origin === 'null' || !URL.canParse(origin)) return origin === 'null' ? origin : 'no origin'
  const { protocol, host } = new URL(origin)
  return `${protocol}//${host}`.slice(0, 200)
}

/** Every body of the contract is JSON, but for the form with a file; a browser sends a preflight first, for X-CSRF-Token too. */
function checkContentType(req: HonoRequest): void {
  const hasBody =
    Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined
  const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (!hasBody || type === 'application/json') return
  if (type === 'multipart/form-data' && req.path === downloadFile.path) return
  throw new Problem(
    'content-type-unsupported',
    'Cannot read the body: its content type has to be application/json',
  )
}

const toAllowedHeaders = (requested: string | undefined) =>
  (requested ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => allowedHeaders.includes(name))
    .join(', ')

const createCorsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
})
