/** What the pages of the admin console share in a request: the session, who it is, and the operations of the service. */
import type { Context, Hono } from 'hono'
import type { BrowserSession } from '../../auth/identity/browser-sessions.ts'
import type { Identity } from '../../auth/identity/provider.ts'
import type { AppEnv } from '../../http/bind.ts'
import type { Language } from '../../languages/catalogs.ts'
import type { Api } from './api.ts'

export interface PageEnv {
  readonly Variables: AppEnv['Variables'] & {
    session: BrowserSession
    identity: Identity
    /** Whether the users are those of an external provider, which adds and changes them itself. */
    isExternal: boolean
    /** Whether the service has documents to link to. */
    hasDocuments: boolean
    api: Api
    language: Language
  }
}

/** The app of the pages: paths are below `/admin`, and every request that reaches a screen has a session. */
export type PageApp = Hono<PageEnv>

export type PageContext = Context<PageEnv>

/** Where the pages are. */
export const pagesPath = '/admin'

/**
 * How the path of a request leads to `/admin/`, relative to it: a proxy may put the service below a path. It is the base of
 * all addresses in a page, which are therefore written without `/` at their start: `devices/1`.
 */
export function findBase(path: string): string {
  const depth = path.slice(pagesPath.length).split('/').length - 1
  return depth === 0 ? `${pagesPath.slice(1)}/` : '../'.repeat(depth - 1) || './'
}

/** The address of the page that was asked for, below `/admin/`, as the browser sent it: Hono decodes parts of a path. */
export const readOwnAddress = ({ req }: Context): string =>
  new URL(req.url).pathname.slice(pagesPath.length + 1)

/** Sends the browser to another page, with 303: it asks for it with GET. `to`: an address below `/admin/`, such as `devices`. */
export const showNext = (context: Context, to: string): Response =>
  context.redirect(findBase(context.req.path) + to, 303)
