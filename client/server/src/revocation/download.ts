/** Requests what the URLs of certificates lead to, within limits of time and size. */
import { abortable } from '@cardwire/protocol/abortable'
import { isAllowedUrl } from './address.ts'
import { StatusUnknownError } from './status.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface DownloadOptions {
  readonly fetch: Fetch
  readonly allowPrivateAddresses: boolean
  /** Milliseconds for one request, with its body. */
  readonly timeoutMs: number
}

/** A request, and the size in bytes that its response may have. */
export interface DownloadRequest {
  readonly url: string
  readonly init: RequestInit
  readonly maxBytes: number
}

/** The body of a response with status 200. Follows no redirect. Rejects with a `StatusUnknownError`. */
export async function download(
  { url, init, maxBytes }: DownloadRequest,
  { fetch, allowPrivateAddresses, timeoutMs }: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!isAllowedUrl(url, allowPrivateAddresses))
    throw new StatusUnknownError('its URL is private or not of the web')
  const signal = AbortSignal.timeout(timeoutMs)
  const receive = async () => {
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    return receiveBody(response, maxBytes, signal)
  }
  try {
    return await abortable(receive(), signal)
  } catch (error) {
    if (error instanceof StatusUnknownError) throw error
    throw new StatusUnknownError(signal.aborted ? 'it took too long' : 'the connection failed')
  }
}

const firstBytes = 16_384

async function receiveBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { status, body, headers } = response
  const refuse = async (cause: string) => {
    await body?.cancel().catch(() => undefined)
    throw new StatusUnknownError(cause)
  }
  if (status !== 200) return refuse(`its status is ${status}`)
  const tooLarge = `it is larger than ${maxBytes} bytes`
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return refuse(tooLarge)
  if (body === null) return new Uint8Array()
  // One buffer, which grows: a response may come in parts of one byte, and each part takes some hundred.
  let received = new Uint8Array(firstBytes)
  let bytes = 0
  const reader = body.getReader()
  // A response of a custom fetch may not know the signal.
  signal.addEventListener('abort', () => reader.cancel().catch(() => undefined), { once: true })
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return received.slice(0, bytes)
    if (bytes + value.length > maxBytes) {
      await reader.cancel().catch(() => undefined)
      throw new StatusUnknownError(tooLarge)
    }
    if (bytes + value.length > received.length) {
      const larger = new Uint8Array(Math.max(bytes + value.length, 2 * received.length))
      larger.set(received)
      received = larger
    }
    received.set(value, bytes)
    bytes += value.length
  }
}
