/** Requests to a distribution service on any runtime, and the responses. */

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape, and assert what they find
export type Json = any

export type FormFields =
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[]

export interface ServiceRequestOptions {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, unless it is text or bytes already. */
  readonly body?: unknown
  /** With entries, a name can be there more than once. */
  readonly form?: FormFields
  /** The client address that the service sees. */
  readonly from?: string
}

export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  readonly json: Json
}

export type RequestService = (
  method: string,
  path: string,
  options?: ServiceRequestOptions,
) => Promise<ServiceResponse>

/** On a new connection: a busy test may send on one that the service closes at that moment, being idle, and the request is lost. */
function fetchOnce(request: Request): Promise<Response> {
  request.headers.set('connection', 'close')
  return fetch(request)
}

/** `addressHeader`: the header with the client address; `send`: sends the request. */
export function createServiceClient(
  url: string,
  addressHeader: string,
  send: (request: Request) => Promise<Response> = fetchOnce,
): RequestService {
  return async (method, path, { token, headers, body, form, from } = {}) => {
    const requestHeaders = new Headers(headers)
    if (token !== undefined) requestHeaders.set('authorization', `Bearer ${token}`)
    if (from !== undefined) requestHeaders.set(addressHeader, from)
    if (body !== undefined && !requestHeaders.has('content-type'))
      requestHeaders.set('content-type', 'application/json')
    const response = await send(
      new Request(new URL(path, url), {
        method,
        headers: requestHeaders,
        redirect: 'manual',
        body: form ? toParameters(form) : writeBody(body),
      }),
    )
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    const { status, headers: responseHeaders } = response
    return { status, headers: responseHeaders, bytes, text, json: parseJson(text) }
  }
}

const writeBody = (body: unknown): string | Uint8Array<ArrayBuffer> | null => {
  if (body === undefined || typeof body === 'string') return body ?? null
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

/** undefined where it is not JSON. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toParameters = (form: FormFields): URLSearchParams => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Symbol.iterator in form ? form : Object.entries(form))
    parameters.append(name, value)
  return parameters
}
