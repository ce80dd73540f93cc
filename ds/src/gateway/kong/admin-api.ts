/**
 * Kong's Admin API, as far as copies of keys need it: consumers and their key-auth credentials. Written from Kong's public
 * documentation and source; the contract in ds/test/gateway has the requests and responses.
 */
import * as z from 'zod'
import { type CopiedConsumer, CopyRefusedError, type CopyTarget } from '../mirror.ts'

export interface KongSettings {
  /** Of the Admin API, without a slash at its end. */
  readonly url: string
  readonly token: string | undefined
}

export interface KongParts {
  readonly settings: KongSettings
  readonly tag: string
  readonly clock: () => number
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** How long Kong may take for a response, in milliseconds. */
const timeoutMs = 5000
const maxBytes = 4 * 1024 * 1024
/** The most that Kong sends. */
const pageSize = 1000
const maxPages = 1000

// Without limits of their own: others write these texts, and a page is limited in bytes.
const Tags = z.array(z.string()).nullish()
const KongConsumer = z.object({
  id: z.string().max(100),
  username: z.string().nullish(),
  custom_id: z.string().nullish(),
  tags: Tags,
})
type KongConsumer = z.output<typeof KongConsumer>
const KongKey = z.object({
  id: z.string().max(100),
  key: z.string().nullish(),
  /** Seconds that are left. */
  ttl: z.number().nullish(),
  consumer: z.object({ id: z.string().max(100) }),
  tags: Tags,
})
type KongKey = z.output<typeof KongKey>
const Page = z.object({
  data: z.array(z.unknown()).max(pageSize),
  offset: z.string().max(10_000).nullish(),
})

/** Throws a CopyRefusedError, which holds up one consumer only. */
function readReply<T>(schema: z.ZodType<T>, json: unknown): T {
  const { data, success } = schema.safeParse(json)
  if (success) return data
  throw new CopyRefusedError('Kong sent a response that cannot be read')
}

export function createKongTarget({ settings, tag, clock, fetch = send }: KongParts): CopyTarget {
  const request = async (
    method: string,
    path: string,
    accepted: readonly number[],
    body?: object,
  ): Promise<{ readonly status: number; readonly json: unknown }> => {
    const response = await fetch(`${settings.url}${path}`, {
      method,
      // A redirect would take the token to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(settings.token !== undefined && { 'kong-admin-token': settings.token }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await readBounded(response)
    // Never the body: Kong names a key that another consumer has.
    if (!accepted.includes(response.status))
      throw new CopyRefusedError(`Kong answered ${response.status} to ${method} ${path}`)
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
  }

  const readPages = async <T>(path: string, schema: z.ZodType<T>): Promise<readonly T[]> => {
    const all: T[] = []
    let next = ''
    for (let count = 0; count < maxPages; count += 1) {
      const page = readReply(Page, (await request('GET', `${path}${next}`, [200])).json)
      // What cannot be read is not ours, and must not hide what is.
      all.push(...page.data.flatMap((one) => schema.safeParse(one).data ?? []))
      if (!page.offset) return all
      next = `&offset=${encodeURIComponent(page.offset)}`
    }
    throw new Error(`Kong has too many pages at ${path}`)
  }

  const isMine = ({ tags }: Pick<KongConsumer, 'tags'>): boolean => tags?.includes(tag) === true
  const toCopied = (
    { username, custom_id }: KongConsumer,
    keys: readonly KongKey[],
  ): CopiedConsumer => ({
    isComplete: custom_id === username,
    keys: keys.filter(isMine).map(({ id, key, ttl }) => ({
      id,
      key: key ?? undefined,
      expiresAt: ttl ? clock() + ttl * 1000 : undefined,
    })),
  })
  const pathOf = (consumer: string) => `/consumers/${encodeURIComponent(consumer)}`

  return {
    name: 'kong',
    async list() {
      const query = `?tags=${tag}&size=${pageSize}`
      const consumers = await readPages(`/consumers${query}`, KongConsumer)
      const keys = Map.groupBy(
        await readPages(`/key-auths${query}`, KongKey),
        ({ consumer }) => consumer.id,
      )
      const mine = consumers.filter((one) => isMine(one) && one.username?.startsWith(`${tag}:`))
      return new Map(mine.map((one) => [one.username ?? '', toCopied(one, keys.get(one.id) ?? [])]))
    },
    async find(consumer) {
      const { status, json } = await request('GET', pathOf(consumer), [200, 404])
      if (status === 404) return undefined
      const found = readReply(KongConsumer, json)
      if (!isMine(found) || found.username !== consumer)
        throw new CopyRefusedError(`Kong has a consumer "${consumer}" without the tag "${tag}"`)
      const keys = await readPages(`${pathOf(consumer)}/key-auth?size=${pageSize}`, KongKey)
      return toCopied(found, keys)
    },
    async putConsumer(consumer) {
      const body = { username: consumer, custom_id: consumer, tags: [tag] }
      await request('PUT', pathOf(consumer), [200, 201], body)
    },
    async putKey(consumer, { id, key, lifetimeS }) {
      const body = { key, tags: [tag], ...(lifetimeS !== undefined && { ttl: lifetimeS }) }
      await request('PUT', `${pathOf(consumer)}/key-auth/${id}`, [200, 201], body)
    },
    async removeKey(consumer, id) {
      await request('DELETE', `${pathOf(consumer)}/key-auth/${id}`, [204, 404])
    },
    async removeConsumer(consumer) {
      await request('DELETE', pathOf(consumer), [204, 404])
    },
  }
}

const send = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, redirect: 'error' })

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > maxBytes) throw new Error(`Kong sent more than ${maxBytes} bytes`)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}
