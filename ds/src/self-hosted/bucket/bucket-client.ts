/** Requests to a bucket with the API of Amazon S3: signed, limited in time, and sent again where that may help. */
import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '@cardwire/protocol'
import { AwsV4Signer } from 'aws4fetch'
import type { BucketAddress } from '../../rules/bucket-address.ts'
import type { BucketCredentials } from '../../settings.ts'
import { BucketFault, describeConnection, readFault } from './bucket-fault.ts'

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Of an object, with its prefix; absent: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | string
  /** Statuses that are no failure, beside those of success. */
  readonly expected?: readonly number[]
  /** How long one attempt may take until `read` has ended, in milliseconds. */
  readonly timeoutMs?: number
}

export interface BucketClient {
  /** What `read` makes of the response. Throws a BucketFault. */
  send<T>(request: BucketRequest, read: (response: Response) => T | Promise<T>): Promise<T>
  /** An address with which anyone can read this one object, for `seconds`. */
  presign(key: string, query: Readonly<Record<string, string>>, seconds: number): Promise<string>
}

/** How long a request may take that has no long body, in milliseconds. */
const usualTimeoutMs = 5000
const maxAttempts = 3
/** The longest pause before the second attempt, in milliseconds; then twice as long. */
const pauseMs = 200

export function createBucketClient(
  address: BucketAddress,
  credentials: BucketCredentials,
  { clock = Date.now, timeoutMs: fallbackMs = usualTimeoutMs } = {},
): BucketClient {
  const origin = toOrigin(address)
  // Derived keys, by day.
  const cache = new Map<string, ArrayBuffer>()
  const createSigner = (url: URL, given: Partial<ConstructorParameters<typeof AwsV4Signer>[0]>) =>
    new AwsV4Signer({
      ...credentials,
      ...given,
      url: url.href,
      service: 's3',
      region: address.region,
      datetime: new Date(clock()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
      cache,
    })

  const toUrl = (key: string | undefined, query: Readonly<Record<string, string>>): URL => {
    const segments = (key ?? '').split('/').map(encodeSegment)
    const url = new URL(`${origin}/${segments.join('/')}`)
    // Not with URLSearchParams: a space would be a plus, which not every service signs alike.
    url.search = Object.entries(query)
      .map((pair) => pair.map(encodeSegment).join('='))
      .join('&')
    return url
  }

  async function attempt<T>(
    {
      method,
      key,
      query = {},
      headers,
      body,
      expected = [],
      timeoutMs = fallbackMs,
    }: BucketRequest,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const signer = createSigner(toUrl(key, query), {
      method,
      headers: { ...headers, 'x-amz-content-sha256': hash('sha256', body ?? '') },
    })
    const signed = await signer.sign()
    const aborting = new AbortController()
    const timer = setTimeout(() => aborting.abort(), timeoutMs)
    try {
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'manual',
        signal: aborting.signal,
        ...(body !== undefined && { body }),
      })
      if (response.ok || expected.includes(response.status)) return await read(response)
      throw await readFault(response)
    } catch (error) {
      if (error instanceof BucketFault || error instanceof Problem) throw error
      if (aborting.signal.aborted) throw new BucketFault('does not respond in time', 'unreachable')
      throw new BucketFault(describeConnection(error), 'unreachable')
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async send(request, read) {
      const startedAt = performance.now()
      for (let at = 1; ; at += 1) {
        try {
          return await attempt(request, read)
        } catch (error) {
          if (!(error instanceof BucketFault) || !error.isTemporary || at === maxAttempts)
            throw error
          // Someone waits for what is read; an upload would begin from its start.
          const isLate = performance.now() - startedAt >= (request.timeoutMs ?? fallbackMs)
          if (isLate && request.body === undefined) throw error
          await wait(Math.random() * pauseMs * 2 ** (at - 1))
        }
      }
    },
    async presign(key, query, seconds) {
      const url = toUrl(key, { ...query, 'X-Amz-Expires': String(seconds) })
      return (await createSigner(url, { method: 'GET', signQuery: true }).sign()).url.href
    },
  }
}

/** The address of the bucket, without a slash at its end. */
function toOrigin({ endpoint, bucket, style }: BucketAddress): string {
  if (style === 'path') return `${endpoint}/${bucket}`
  const url = new URL(endpoint)
  return `${url.protocol}//${bucket}.${url.host}`
}

/** As RFC 3986 has it, and signatures do. */
const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
