/** The session of a request: its cookie, and the pages that need a user who is logged in. */
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { errors } from 'jose'
import {
  type BrowserSession,
  browserSessionLifetimeMs,
} from '../../auth/identity/browser-sessions.ts'
import type { Identity } from '../../auth/identity/provider.ts'
import type { AppEnv } from '../../http/bind.ts'
import type { Services } from '../../services.ts'
import { createApi } from './api.ts'
import { type PageContext, type PageEnv, pagesPath, showNext } from './page-env.ts'

/** With the prefix `__Host-`: no other host and no page of plain http can set it. */
const cookieName = 'cardwire'

/** Gives the browser the cookie of a session. */
export const setSessionCookie = (context: Context, value: string): void =>
  setCookie(context, cookieName, value, {
    prefix: 'host',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: browserSessionLifetimeMs / 1000,
  })

export function deleteSessionCookie(context: Context): void {
  deleteCookie(context, cookieName, { prefix: 'host', path: '/', secure: true })
}

/** The valid session that the cookie of a request names. */
export async function findSession(
  context: Context,
  { browserSessions }: Services,
): Promise<BrowserSession | undefined> {
  const value = getCookie(context, cookieName, 'host')
  return value === undefined ? undefined : browserSessions.find(value)
}

/** Sends a user who is not logged in to the login, and from there back to the page; operations are called for the user. */
export function requireSession(app: Hono<AppEnv>, services: Services): MiddlewareHandler<PageEnv> {
  return async (context, next) =>
    (await useSession(app, services, context))
      ? next()
      : showNext(context, createLoginAddress(context))
}

/** Lets a request act for the session of its cookie; false where there is none. */
export async function useSession(
  app: Hono<AppEnv>,
  services: Services,
  context: PageContext,
): Promise<boolean> {
  const session = await findSession(context, services)
  if (!session) return false
  const token = await issueToken(session, services)
  const identity = token === undefined ? undefined : await identify(token, session, services)
  if (token === undefined || !identity) {
    await services.browserSessions.end(session)
    return false
  }
  context.set('session', session)
  context.set('identity', identity)
  context.set('isExternal', services.identity.embedded === undefined)
  context.set('api', createApi(createRequest(app, context, services.url, session.id), token))
  return true
}

/** undefined: the token is not one of the session's owner, as after a change of the provider. */
async function identify(
  token: string,
  session: BrowserSession,
  { identity, log }: Services,
): Promise<Identity | undefined> {
  try {
    const found = await identity.identify(token)
    return found.subject === session.subject ? found : undefined
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    log.warn('token of a session refused', { session: session.id, reason: error.message })
    return undefined
  }
}

function createLoginAddress({ req }: Context): string {
  const { pathname, search } = new URL(req.url)
  const to = pathname.slice(pagesPath.length + 1) + search
  return req.method === 'GET' && to !== '' ? `login?to=${encodeURIComponent(to)}` : 'login'
}

/** undefined: the provider has ended the session. */
async function issueToken(
  session: BrowserSession,
  { identity: { embedded, breakGlass, browsers } }: Services,
): Promise<string | undefined> {
  const { id, administrator, expiresAt } = session
  if (embedded && administrator !== null)
    return embedded.issueAccessToken({ id, administrator, expiresAt })
  if (breakGlass && administrator === breakGlass.name)
    return breakGlass.issueAccessToken({ id, administrator, expiresAt })
  // Of another provider than the one that is set now: it is over.
  return browsers && administrator === null ? browsers.sessions.findAccessToken(session) : undefined
}

/** Ends a session, at an external provider, too. */
export async function endSession(
  session: BrowserSession,
  { identity: { browsers }, browserSessions }: Services,
): Promise<void> {
  if (browsers) await browsers.sessions.end(session)
  else await browserSessions.end(session)
}

/** What tells an operation where a request comes from: those of proxies, which the page itself was asked with. */
const addressHeaders = ['forwarded', 'x-forwarded-for', 'cf-connecting-ip']

/** Sends requests to the app itself, as from the browser that asked for the page. */
function createRequest(app: Hono<AppEnv>, context: Context, url: string, browserSession: string) {
  return async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    for (const name of addressHeaders) {
      const value = context.req.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    // Ends with the request for the page.
    const { signal } = context.req.raw
    const request = new Request(new URL(url).origin + path, { ...init, headers, signal })
    return app.fetch(request, { ...context.env, browserSession }, findExecution(context))
  }
}

/** Only Workers have it. */
function findExecution(context: Context) {
  try {
    return context.executionCtx
  } catch {
    return undefined
  }
}
