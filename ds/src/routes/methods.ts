/** Which methods a path knows, for whoever came with another. */
import type { Hono } from 'hono'
import type { AppEnv } from './bind.ts'

/** As the header Allow lists them (RFC 9110 §10.2.1); none when no route has the path. */
export function methodsOf(app: Hono<AppEnv>, path: string): readonly string[] {
  const found = app.routes
    .filter((route) => route.method !== 'ALL' && patternOf(route.path).test(path))
    .map(({ method }) => method)
  return [...new Set(found.includes('GET') ? ['GET', 'HEAD', ...found] : found)]
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`)
