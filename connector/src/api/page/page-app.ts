/** The local page as an app: its files for everybody who passes the checks, and its actions for whoever has its token. */

import { parseJson } from '@cardwire/protocol/hono'
import { Problem } from '@cardwire/protocol/problem'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import type {
  FindingView,
  SaveResult,
  ServiceForm,
  UpdateResult,
  View,
} from '../../../page/view.ts'
import type { FindPeerOwner } from '../../system/peer-owner.ts'
import type { Connection } from '../../system/server.ts'
import type { PageAccess } from './page-access.ts'
import { checkPeer, checkSource, pageHeaders } from './page-checks.ts'
import type { PageFile } from './read-page-files.ts'

/** What the page can do, on behalf of the user. */
export interface PageActions {
  /** Calls back with what is shown now, and whenever it has changed, until the signal. */
  watch(show: (view: View) => void, signal: AbortSignal): void
  findFindings(): Promise<readonly FindingView[]>
  /** Takes back what pages of this origin were allowed. */
  revoke(permission: Permission): Promise<void>
  /** Starts the connector; resolves when it runs, or does not. */
  start(): Promise<void>
  /** Makes the browsers of this user trust the certificates. */
  trust(): Promise<void>
  saveService(form: ServiceForm): Promise<SaveResult>
  /** Installs the version that the service offers. */
  update(): Promise<UpdateResult>
}

export interface PageAppOptions {
  readonly files: Readonly<Record<string, PageFile>>
  readonly access: PageAccess
  /** Of the user, ISO 639; the browser's own come first. */
  readonly language: string
  readonly ownerOf: FindPeerOwner
  readonly actions: PageActions
  /** Calls back when a page begins to watch, and when the last has ended. */
  readonly onWatching: (pages: number) => void
  /** Calls back when the user has done something. */
  readonly onUse: () => void
  /** Calls back with an error that nobody expected, and the id that its response names. */
  readonly onFailure: (error: unknown, requestId: string) => void
}

interface PageEnv {
  readonly Bindings: Connection
}

const Ticket = z.object({ ticket: z.string() })
/** `identity`: what pages of the origin may read about the holders of cards; `folders`: those whose files they exchange; `consent`: everything. */
const Permission = z.object({
  origin: z.string(),
  what: z.enum(['consent', 'identity', 'folders']),
})
type Permission = z.output<typeof Permission>
const Form = z.object({ address: z.string(), installationKey: z.string() })

export function createPageApp(options: PageAppOptions): Hono<PageEnv> {
  const { access, actions, files } = options
  const watchers = countWatchers(options.onWatching)
  const app = new Hono<PageEnv>()
  app.onError((error) => {
    if (error instanceof Problem || error instanceof z.core.$ZodError)
      return refuse(400, 'This request cannot be read.')
    const requestId = crypto.randomUUID()
    options.onFailure(error, requestId)
    return refuse(500, `The page failed: look for ${requestId} in its log`, { requestId })
  })
  app.notFound(() => refuse(404, 'There is nothing here.'))
  app.use(checkRequest(options))
  for (const [path, { text, type }] of Object.entries(files))
    app.get(path, () => new Response(text, { headers: { ...pageHeaders, 'content-type': type } }))
  app.post('/session', async (context) => {
    const token = access.exchange((await readBody(context, Ticket)).ticket)
    return token === undefined
      ? refuse(403, 'This address was used before, or is too old.')
      : reply({ token, language: options.language })
  })
  app.use(checkToken(options))
  app.post('/view', (context) => stream(context, actions, watchers))
  app.post('/use', () => reply({}))
  app.post('/findings', async () => reply(await actions.findFindings()))
  app.post('/revoke', async (context) => {
    await actions.revoke(await readBody(context, Permission))
    return reply({})
  })
  app.post('/start', async () => reply(await actions.start().then(() => ({}))))
  app.post('/trust', async () => reply(await actions.trust().then(() => ({}))))
  app.post('/update', async () => reply(await actions.update()))
  app.post('/service', async (context) =>
    reply(await actions.saveService(await readBody(context, Form))),
  )
  return app
}

const checkRequest =
  ({ ownerOf }: PageAppOptions): MiddlewareHandler<PageEnv> =>
  async (context, next) => {
    const { env, req } = context
    const refusal =
      (await checkPeer(env, ownerOf)) ?? checkSource(req.raw, `http://127.0.0.1:${env.port}`)
    if (refusal !== undefined) return refuse(403, refusal)
    if (!['GET', 'POST'].includes(req.method)) return refuse(405, 'Only GET and POST are allowed.')
    // The checks and the longest action of a page take longer than Bun waits by itself.
    env.keepOpen()
    return next()
  }

const checkToken =
  ({ access, onUse }: PageAppOptions): MiddlewareHandler<PageEnv> =>
  async (context, next) => {
    const token = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
    if (!access.accepts(token)) return refuse(401, 'This page has no token: open it once more.')
    onUse()
    return next()
  }

/** Each view on a line of its own, until the page goes. */
function stream(
  context: Context<PageEnv>,
  actions: PageActions,
  countWatcher: () => () => void,
): Response {
  const gone = new AbortController()
  const text = new TextEncoder()
  const end = () => gone.abort()
  gone.signal.addEventListener('abort', countWatcher())
  context.req.raw.signal.addEventListener('abort', end)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      actions.watch(
        (view) => controller.enqueue(text.encode(`${JSON.stringify(view)}\n`)),
        gone.signal,
      )
    },
    cancel: end,
  })
  return new Response(body, {
    headers: { ...pageHeaders, 'content-type': 'application/x-ndjson; charset=utf-8' },
  })
}

/** Returns what counts one more page, which returns what counts one less. */
function countWatchers(onWatching: PageAppOptions['onWatching']) {
  let watching = 0
  const count = (change: number) => {
    watching += change
    onWatching(watching)
  }
  return () => {
    count(1)
    return () => count(-1)
  }
}

async function readBody<S extends z.ZodMiniType>(
  context: Context<PageEnv>,
  schema: S,
): Promise<z.output<S>> {
  return z.parse(schema, parseJson(await context.req.text()))
}

const reply = (body: unknown) => Response.json(body, { headers: pageHeaders })

const refuse = (status: number, reason: string, more: object = {}) =>
  Response.json({ reason, ...more }, { status, headers: pageHeaders })
