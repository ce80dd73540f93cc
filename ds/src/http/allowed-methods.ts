/** The methods of a path, for a request with another one. */
import type { Hono } from 'hono'
import type { AppEnv } from './bind.ts'

/** For the header Allow (RFC 9110 §10.2.1); empty when no route has the path. */
export function findAllowedMethods(app: Hono<AppEnv>, path: string): readonly string[] {
  const found = app.routes
    .filter((route) => route.method !== 'ALL' && toPattern(route.path).test(path))
    .map(({ method }) => method)
  return [...new Set(found.includes('GET') ? ['GET', 'HEAD', ...found] : found)]
}

const toPattern = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`)
