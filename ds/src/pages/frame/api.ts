/** Calls the operations of the service in this process, with the access token of a session: pages have no other way. */
import type { KeystoreCertificate, Operation, ProblemBody, ProblemName } from '@cardwire/protocol'
import type { EnvelopeData, RequestParts } from '@cardwire/protocol/call'

/** What an operation has answered. */
export interface Answer<T> {
  readonly data: T
  /** Whether it was created, where the operation creates or updates. */
  readonly created: boolean
  /** The ETag of the resource, for `ifMatch` of a change; undefined where it has none. */
  readonly etag: string | undefined
}

export interface CallOptions {
  /** The ETag of what was shown: the change is refused when it is another by now. */
  readonly ifMatch?: string | undefined
  /** The stored request that was shown: the change is made only as its approval. */
  readonly approves?: string | undefined
}

export interface Api {
  /** Calls an operation. Throws `ApiProblem` when it is refused. */
  call<O extends Operation>(
    operation: O,
    parts: RequestParts<O>,
    options?: CallOptions,
  ): Promise<Answer<EnvelopeData<O>>>
  /** The response to a request of another form, such as a download; its headers are the caller's own. */
  send(method: string, path: string, init?: RequestInit): Promise<Response>
}

/** An operation that was refused, as its problem says. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly problem: ProblemName | undefined
  /** What is wrong, by field: `path` as the contract names it, such as `config.cors`. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  /** Of the keystore that would be saved, where the change reaches more than was confirmed. */
  readonly certificate: KeystoreCertificate | undefined
  /** How many the change affects, where that is more than was confirmed. */
  readonly reach: number | undefined
  /** Seconds to wait, where the operation says so. */
  readonly retryAfterS: number | undefined

  constructor(status: number, body: Partial<ProblemBody>, retryAfter: string | null) {
    super(body.description ?? `The service responded with ${status}`)
    this.status = status
    this.problem = /^urn:cardwire:problem:(.+)$/.exec(body.type ?? '')?.[1] as ProblemName
    this.errors = body.errors ?? []
    this.certificate = body.certificate
    this.reach = body.reach
    this.retryAfterS = retryAfter === null ? undefined : Number(retryAfter)
  }
}

/** `request` sends a request to the service in this process, `token` is the access token of the caller. */
export function createApi(
  request: (path: string, init: RequestInit) => Promise<Response>,
  token: string,
): Api {
  const send: Api['send'] = async (method, path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return request(path, { ...init, method, headers })
  }
  return {
    send,
    async call(operation, parts, { ifMatch, approves } = {}) {
      const { body } = parts as UncheckedParts
      const response = await send(operation.method, createAddress(operation, parts), {
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
          ...(approves !== undefined && { approves }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw await readProblem(response)
      const { data } = (await response.json()) as { readonly data: never }
      const etag = response.headers.get('etag') ?? undefined
      return { data, created: response.status === 201, etag }
    },
  }
}

interface UncheckedParts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** The path of a request with its query; parameters that are undefined or empty are left out. */
export function createAddress<O extends Operation>(operation: O, parts: RequestParts<O>): string {
  const { params, query } = parts as UncheckedParts
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  )
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString()
  return search === '' ? path : `${path}?${search}`
}

/** The problem in a response that is no success. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemBody>
  return new ApiProblem(response.status, body, response.headers.get('retry-after'))
}
