/**
 * A small server that answers as Kong's Admin API does, as far as `kong-contract.ts` has it: consumers and key-auth credentials, with
 * tags, pages, ends and unique values. It also lets requests through by their key, as Kong's proxy does.
 */
import { type Context, Hono } from 'hono'

interface StoredConsumer {
  readonly id: string
  readonly username: string
  readonly custom_id: string | null
  readonly tags: readonly string[] | null
  readonly created_at: number
}

interface StoredKey {
  readonly id: string
  readonly key: string
  readonly until: number | undefined
  readonly consumer: { readonly id: string }
  readonly tags: readonly string[] | null
  readonly created_at: number
}

export interface KongStandIn {
  readonly app: Hono
  /** Every request so far: method and path. */
  readonly requests: string[]
  /** Answers everything with 503 while it is set. */
  isDown: boolean
  /** What Kong's proxy would tell a service about a key. */
  check(key: string): Readonly<Record<string, string>> | undefined
  /** Runs before a request is answered. */
  before?: ((method: string, path: string) => Promise<void>) | undefined
}

const createdAt = 1_767_225_600

/** `now`: milliseconds since 1970. */
export function createKongStandIn(now: () => number, token?: string): KongStandIn {
  const consumers = new Map<string, StoredConsumer>()
  const keys = new Map<string, StoredKey>()
  let count = 0
  const isOver = ({ until }: StoredKey) => until !== undefined && until <= now()
  const show = ({ until, ...key }: StoredKey) => ({
    ...key,
    ttl: until === undefined ? null : Math.ceil((until - now()) / 1000),
  })
  const working = () => [...keys.values()].filter((key) => !isOver(key))
  const findConsumer = (name: string | undefined) =>
    [...consumers.values()].find(({ id, username }) => id === name || username === name)
  const notFound = () => Response.json({ message: 'Not found' }, { status: 404 })
  const taken = (field: string, value: string) =>
    Response.json(
      {
        code: 5,
        name: 'unique constraint violation',
        message: `UNIQUE violation detected on '{${field}="${value}"}'`,
        fields: { [field]: value },
      },
      { status: 409 },
    )
  const page = (context: Context, all: readonly { readonly tags: readonly string[] | null }[]) => {
    const { tags, size = '100', offset = '' } = context.req.query()
    const found = all.filter((one) => tags === undefined || one.tags?.includes(tags))
    const start = offset === '' ? 0 : Number(atob(offset))
    const end = start + Number(size)
    const rest = end < found.length ? { offset: btoa(String(end)) } : {}
    const path = `${context.req.path}?offset=${encodeURIComponent(rest.offset ?? '')}`
    const next = rest.offset === undefined ? null : path
    return Response.json({ data: found.slice(start, end), next, ...rest })
  }

  const app = new Hono()
  const standIn: KongStandIn = {
    app,
    requests: [],
    isDown: false,
    check(text) {
      const key = working().find((one) => one.key === text)
      const consumer = key && findConsumer(key.consumer.id)
      if (!key || !consumer) return undefined
      return {
        'x-consumer-id': consumer.id,
        'x-consumer-username': consumer.username,
        ...(consumer.custom_id !== null && { 'x-consumer-custom-id': consumer.custom_id }),
        'x-credential-identifier': key.id,
      }
    },
  }
  app.use(async (context, next) => {
    const { method, url } = context.req
    const path = url.slice(new URL(url).origin.length)
    standIn.requests.push(`${method} ${path}`)
    await standIn.before?.(method, path)
    if (standIn.isDown) return Response.json({ message: 'down' }, { status: 503 })
    if (token !== undefined && context.req.header('kong-admin-token') !== token)
      return Response.json({ message: 'Invalid RBAC credentials' }, { status: 401 })
    return next()
  })
  app.get('/consumers', (context) => page(context, [...consumers.values()]))
  app.get('/key-auths', (context) => page(context, working().map(show)))
  app.get('/consumers/:name', ({ req }) => {
    const found = findConsumer(req.param('name'))
    return found ? Response.json(found) : notFound()
  })
  app.put('/consumers/:name', async ({ req }) => {
    const body = await req.json()
    const username = req.param('name')
    const found = findConsumer(username)
    const { custom_id = null, tags = null } = body
    const other = [...consumers.values()].find(
      (one) => custom_id !== null && one.custom_id === custom_id && one.id !== found?.id,
    )
    if (other) return taken('custom_id', custom_id)
    if (!found) count += 1
    const id = found?.id ?? `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
    const stored = { id, username, custom_id, tags, created_at: createdAt }
    consumers.set(id, stored)
    return Response.json(stored)
  })
  app.delete('/consumers/:name', ({ req }) => {
    const found = findConsumer(req.param('name'))
    if (found) {
      consumers.delete(found.id)
      for (const [id, { consumer }] of keys) if (consumer.id === found.id) keys.delete(id)
    }
    return new Response(null, { status: 204 })
  })
  app.get('/consumers/:name/key-auth', (context) => {
    const found = findConsumer(context.req.param('name'))
    if (!found) return notFound()
    return page(
      context,
      working().flatMap((key) => (key.consumer.id === found.id ? show(key) : [])),
    )
  })
  app.put('/consumers/:name/key-auth/:id', async ({ req }) => {
    const found = findConsumer(req.param('name'))
    if (!found) return notFound()
    const { key, ttl, tags = null } = await req.json()
    const id = req.param('id')
    if (working().some((one) => one.key === key && one.id !== id)) return taken('key', key)
    const until = ttl === undefined ? undefined : now() + ttl * 1000
    const stored = { id, key, until, consumer: { id: found.id }, tags, created_at: createdAt }
    keys.set(id, stored)
    return Response.json(show(stored))
  })
  app.delete('/consumers/:name/key-auth/:id', ({ req }) => {
    const found = findConsumer(req.param('name'))
    const key = keys.get(req.param('id'))
    if (!found || !key || key.consumer.id !== found.id) return notFound()
    keys.delete(key.id)
    return new Response(null, { status: 204 })
  })
  return standIn
}
