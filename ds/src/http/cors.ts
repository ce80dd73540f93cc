/** Credentialed CORS for the few operations that pages of allowed origins may call. */
import { dsOperations, entriesFor, isOriginAllowed } from '@cardwire/protocol'
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import type { AppEnv } from './bind.ts'

/** The request headers a page may send: those of the client library that the service reads or ignores. */
const allowedHeaders = 'authorization, content-type, x-csrf-token, x-t1c-billing-tag, x-xsrf-token'
/** How long a browser may cache the response to a preflight, in seconds. */
const maxAgeS = '600'

/** The paths that pages may call, with parameters as Hono writes them. */
export const corsPaths = [
  ...new Set(
    dsOperations
      .filter(({ pages }) => pages === 'allowed')
      .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
  ),
]

/** The entries of all allowlists. */
export type ReadAllowedOrigins = () => Promise<ReadonlySet<string>>

export function allowCors(
  { settings }: Pick<Services, 'settings'>,
  readAllowedOrigins: ReadAllowedOrigins,
): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    context.header('vary', 'Origin', { append: true })
    const origin = context.req.header('origin')
    const allowed = origin !== undefined && (await isAllowed(origin))
    if (!allowed) return next()
    if (context.req.method === 'OPTIONS') {
      return context.body(null, 204, {
        ...createCorsHeaders(origin),
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': maxAgeS,
      })
    }
    await next()
    for (const [name, value] of Object.entries(createCorsHeaders(origin)))
      context.res.headers.set(name, value)
    return
  }

  async function isAllowed(origin: string): Promise<boolean> {
    const entries = entriesFor(origin.toLowerCase())
    if (entries.length === 0) return false
    if (isOriginAllowed(origin, settings.cors)) return true
    // Strangers ask, too: the allowlists are read only after a change.
    const allowed = await readAllowedOrigins()
    return entries.some((entry) => allowed.has(entry))
  }
}

const createCorsHeaders = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'x-request-id, retry-after',
})
