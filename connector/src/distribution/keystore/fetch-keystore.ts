/** Fetches the keystore that a policy names: from the service itself, or from another address. */
import { createHash } from 'node:crypto'
import { isLoopbackHost } from '@cardwire/protocol/loopback'
import { downloadKeystore, type Keystore as KeystoreReference } from '@cardwire/protocol/sync'
import { KeystoreRefused } from '../../../../pkcs12/keystore-refused.ts'
import { resolveRedirect, startDownload } from '../client/redirect.ts'
import { type HttpResponse, type HttpTransport, ResponseTooLarge } from '../client/transport.ts'
import type { SyncSession } from '../sync/session.ts'

/** Bytes; keystores have a few thousand. */
const maxBytes = 5 * 1024 * 1024
const maxRedirects = 5

export interface FetchedKeystore {
  readonly bytes: Uint8Array
  /** SHA-256, lower-case hexadecimal. */
  readonly digest: string
}

interface FetchOptions {
  readonly dsUrl: string
  readonly transport: HttpTransport
  readonly send: SyncSession['send']
}

/** Throws KeystoreRefused when it may not be used, and other errors when another attempt may succeed. */
export async function fetchKeystore(
  { uri, guarded, digest }: KeystoreReference,
  { dsUrl, transport, send }: FetchOptions,
): Promise<FetchedKeystore> {
  const { status, body } = await (guarded
    ? send({ method: 'GET', path: downloadKeystore.path })
    : fetchWithRedirects(uri, dsUrl, transport)
  ).catch((error) => {
    throw error instanceof ResponseTooLarge ? tooLargeError() : error
  })
  if (status !== 200)
    throw new Error(`Cannot fetch the keystore: the response has status ${status}`)
  if (body.length > maxBytes) throw tooLargeError()
  const found = createHash('sha256').update(body).digest('hex')
  if (digest !== undefined && digest.toLowerCase() !== found) {
    throw new KeystoreRefused(`its SHA-256 is ${found}, and not ${digest} as the service says`)
  }
  return { bytes: body, digest: found }
}

async function fetchWithRedirects(
  from: string,
  dsUrl: string,
  transport: HttpTransport,
): Promise<HttpResponse> {
  let step = await startDownload(from, dsUrl)
  if (step === undefined) throw new KeystoreRefused(`${new URL(from).host} is this computer`)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const { url, elsewhere } = step
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) {
      throw new KeystoreRefused(`it is fetched over https only, and not from ${url.origin}`)
    }
    const response = await transport({ method: 'GET', url: url.href, maxBytes, elsewhere })
    const location = response.headers['location']
    if (response.status < 300 || response.status >= 400 || location === undefined) return response
    const next = resolveRedirect(location, step)
    if (next === undefined) throw new KeystoreRefused(`${url.host} redirects to this computer`)
    step = next
  }
  throw new Error(`Cannot fetch the keystore: more than ${maxRedirects} redirects`)
}

const tooLargeError = () => new KeystoreRefused(`it has more than ${maxBytes} bytes`)
