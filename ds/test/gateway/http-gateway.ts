/** A second gateway: the port over HTTP, and a small server that keeps the keys in memory. */
import { Hono } from 'hono'
import type { AuditEntry } from '../../src/db/audit.ts'
import {
  type Consumer,
  type Gateway,
  GatewayError,
  type GatewayErrorReason,
} from '../../src/gateway/gateway.ts'

/** What this server answers with; the test is both ends of the wire. */
const reasonOf = (body: unknown) => (body as { reason: GatewayErrorReason }).reason
const countOf = (body: unknown) => (body as { count: number }).count

interface FoundKeys {
  readonly id: string
  readonly replacedUntil?: number
}

type Fetch = (path: string, init?: { method: string; body: string }) => Promise<Response>

export function httpGateway(fetch: Fetch): Gateway {
  const send = async (path: string, body: object): Promise<Response> => {
    const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) })
    if (response.status === 409) throw new GatewayError(reasonOf(await response.json()))
    return response
  }
  const change = async (
    path: string,
    body: object,
    entry: AuditEntry | undefined,
  ): Promise<void> => {
    await send(path, body)
    await entry?.write()
  }
  return {
    register: (consumer, key, entry) => change('/register', { consumer, key }, entry),
    rotate: (consumer, key, overlapS, entry) =>
      change('/rotate', { consumer, key, overlapS }, entry),
    disable: (consumer, entry) => change('/disable', { consumer }, entry),
    remove: (consumer, entry) => change('/remove', { consumer }, entry),
    async lookup(key) {
      const response = await send('/lookup', { key })
      return response.status === 404 ? undefined : ((await response.json()) as Consumer)
    },
    findKeys: async (kind, ids) => {
      const response = await send('/find-keys', { kind, ids })
      const found = (await response.json()) as readonly FoundKeys[]
      return new Map(found.map(({ id, replacedUntil }) => [id, { replacedUntil }]))
    },
    count: async (kind) => countOf(await (await fetch(`/count/${kind}`)).json()),
  }
}

/** The server. `now` is its clock, in seconds. */
export function gatewayServer(now: () => number): Hono {
  const consumers = new Map<string, Consumer>()
  const keys = new Map<string, { readonly holder: string; until: number }>()
  const name = ({ kind, id }: Consumer) => `${kind}/${id}`
  const held = (key: string) => {
    const found = keys.get(key.toLowerCase())
    return found && found.until > now() ? found : undefined
  }
  const give = (holder: string, key: string) =>
    keys.set(key.toLowerCase(), { holder, until: Number.POSITIVE_INFINITY })
  const drop = (holder: string) => {
    for (const [key, value] of keys) if (value.holder === holder) keys.delete(key)
  }

  const app = new Hono()
  const refuse = (reason: GatewayErrorReason) => Response.json({ reason }, { status: 409 })
  const done = () => new Response(null, { status: 204 })
  app.post('/register', async ({ req }) => {
    const { consumer, key } = await req.json()
    if (consumers.has(name(consumer))) return refuse('consumer-taken')
    if (held(key)) return refuse('key-taken')
    consumers.set(name(consumer), consumer)
    give(name(consumer), key)
    return done()
  })
  app.post('/rotate', async ({ req }) => {
    const { consumer, key, overlapS } = await req.json()
    const holder = name(consumer)
    if (!consumers.has(holder)) return refuse('consumer-unknown')
    if ((held(key)?.holder ?? holder) !== holder) return refuse('key-taken')
    for (const value of keys.values()) {
      if (value.holder === holder) value.until = Math.min(value.until, now() + overlapS)
    }
    give(holder, key)
    return done()
  })
  app.post('/disable', async ({ req }) => {
    drop(name((await req.json()).consumer))
    return done()
  })
  app.post('/remove', async ({ req }) => {
    const holder = name((await req.json()).consumer)
    drop(holder)
    consumers.delete(holder)
    return done()
  })
  app.post('/lookup', async ({ req }) => {
    const found = held((await req.json()).key)
    const consumer = found && consumers.get(found.holder)
    return consumer ? Response.json(consumer) : new Response(null, { status: 404 })
  })
  app.post('/find-keys', async ({ req }) => {
    const { kind, ids } = await req.json()
    const found = (ids as string[]).flatMap((id): FoundKeys[] => {
      const working = [...keys].flatMap(([key, { holder }]) =>
        holder === name({ kind, id }) ? (held(key) ?? []) : [],
      )
      const ends = working.map(({ until }) => until).filter(Number.isFinite)
      if (working.length === 0) return []
      return [{ id, ...(ends.length > 0 && { replacedUntil: Math.max(...ends) * 1000 }) }]
    })
    return Response.json(found)
  })
  app.get('/count/:kind', ({ req }) => {
    const count = [...consumers.values()].filter(({ kind }) => kind === req.param('kind')).length
    return Response.json({ count })
  })
  return app
}
