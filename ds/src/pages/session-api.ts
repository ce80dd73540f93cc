/** Operations on behalf of a session, for the page at /docs: its scripts get no token. */
import { dsOperations, Problem, roles } from '@cardwire/protocol'
import { createProblemResponse } from '@cardwire/protocol/hono'
import type { Context, Hono } from 'hono'
import type { AppEnv } from '../http/bind.ts'
import type { Services } from '../services.ts'
import { type PageApp, type PageContext, pagesPath } from './frame/page-env.ts'
import { findSession, useSession } from './frame/session.ts'

const path = '/session'

/** Those that need an account: the others answer without, and one of them issues tokens. */
const forwarded = dsOperations
  .filter(({ access }) => [...roles, 'application', 'local'].includes(access))
  .map((operation) => ({
    method: operation.method,
    // Of a path as it is sent: nothing in it is another step, however it is written.
    pattern: new RegExp(
      `^${operation.path.replaceAll(/\{\w+\}/g, "(?!\\.{1,2}(/|$))[\\w.~!$&'()*+,;=:@%-]+")}$`,
    ),
  }))

/** What of a request is the operation's; cookies and marks of the browser are not. */
const requestHeaders = ['accept', 'content-type', 'content-length', 'if-match', 'if-none-match']

/** What of a response is the page's. */
const responseHeaders = ['content-type', 'content-disposition', 'etag', 'location', 'retry-after']

export function addSessionApi(pages: PageApp, app: Hono<AppEnv>, services: Services): void {
  pages.get('/docs', (context) => context.redirect('../docs'))

  pages.get(path, async (context) => {
    const session = isFromPage(context) ? await findSession(context, services) : undefined
    return context.json(session ? { name: session.name } : {})
  })

  pages.all(`${path}/*`, async (context) => {
    const { method } = context.req
    const target = readRawPath(context).slice(pagesPath.length + path.length)
    const operation = forwarded.find((one) => one.method === method && one.pattern.test(target))
    if (!isFromPage(context) || !operation) return refuse(context, createUnknownProblem(target))
    if (!(await useSession(app, services, context)))
      return refuse(context, createNoSessionProblem())
    const response = await context.var.api.send(method, target + new URL(context.req.url).search, {
      headers: pick(context.req.raw.headers, requestHeaders),
      ...(method !== 'GET' && { body: context.req.raw.body, duplex: 'half' }),
    } as RequestInit)
    const headers = pick(response.headers, responseHeaders)
    headers.set('cache-control', 'no-store')
    headers.set('x-content-type-options', 'nosniff')
    return new Response(response.body, { status: response.status, headers })
  })
}

/** As the browser sent it: Hono decodes what `Request` reads as another path then. */
const readRawPath = ({ req }: Context): string => new URL(req.url).pathname

/** Only scripts of pages of this service ask here: no address that is opened, framed or fetched ahead by another page. */
const isFromPage = ({ req }: Context): boolean =>
  (req.header('sec-fetch-site') ?? 'same-origin') === 'same-origin' &&
  req.header('sec-fetch-mode') !== 'navigate'

const refuse = (context: PageContext, problem: Problem) =>
  createProblemResponse(problem, context.get('requestId'))

function pick(from: Headers, names: readonly string[]): Headers {
  const found = names.flatMap((name): [string, string][] => {
    const value = from.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new Headers(found)
}

const createUnknownProblem = (target: string) =>
  new Problem(
    'route-unknown',
    `Cannot send "${target}" with a session: no operation needs one there`,
  )

const createNoSessionProblem = () =>
  new Problem('token-refused', 'Cannot act for you: sign in to the admin console again')
