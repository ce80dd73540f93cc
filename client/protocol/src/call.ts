/** Calls one operation of the contract with fetch, and reads the envelope or the problem in the response. */
import type * as z from 'zod/mini'
import type { Operation } from './operation.ts'
import { parseFlatJson } from './parse-flat-json.ts'
import type { ProblemName } from './problem.ts'
import { number, object, optional, safeParse, text } from './validators.ts'

/** The parts of a request that an operation declares; of one that is known only at run time, whose service checks them. */
export type RequestParts<O extends Operation> = Operation extends O
  ? StoredParts
  : SchemaPart<O, 'params'> & SchemaPart<O, 'query'> & BodyPart<O>

interface StoredParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type SchemaPart<O, Name extends string> = O extends {
  readonly [name in Name]: infer S extends z.ZodMiniType
}
  ? { readonly [name in Name]: z.input<S> }
  : unknown
type BodyPart<O> = O extends { readonly body: { readonly schema: infer S extends z.ZodMiniType } }
  ? { readonly body: z.input<S> }
  : unknown

/** The data in an operation's envelope. */
export type EnvelopeData<O extends Operation> = O['reply'] extends {
  readonly schema: infer S extends z.ZodMiniType
}
  ? O['reply']['kind'] extends 'document'
    ? z.output<S> extends { readonly data: infer D }
      ? D
      : never
    : z.output<S>
  : unknown

/**
 * An operation as a client needs it at run time. The types are those of the contract, so that the compiler checks each
 * value against it while the schemas stay out of the bundle.
 */
export interface ClientOperation<O extends Operation, T extends EnvelopeData<O> = EnvelopeData<O>> {
  readonly method: O['method']
  readonly path: O['path']
  readonly access: O['access']
  /** Validates the data, or throws an error whose message says what is wrong with it. */
  readonly data: (data: unknown) => T
  /** Never set: it lets the compiler infer the operation. */
  readonly operation?: O
}

/** What sends a request, and where to. */
export interface Transport {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** `https://localhost:51983` */
  readonly address: string
  readonly init: RequestInit
}

/** The validated data of a response, and the text that its signature covers. */
export interface CallResult<T> {
  readonly data: T
  readonly signedText: string
  readonly signature: string | undefined
}

/** The body of a failure (RFC 9457): `problem` is its name in the table of problems, when it is one of ours. */
export interface ProblemDetails {
  readonly status: number
  readonly code: string
  readonly description: string
  readonly problem: ProblemName | undefined
  /** Tries that a PIN has left. */
  readonly triesLeft: number | undefined
}

/** A call that failed. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** `unanswered`: there was no response; `malformed`: the response cannot be read; `refused`: it is a problem. */
  readonly kind: 'unanswered' | 'malformed' | 'refused'
  readonly details: ProblemDetails | undefined

  constructor(
    kind: CallFailure['kind'],
    message: string,
    cause?: unknown,
    refusal?: ProblemDetails,
  ) {
    super(message, { cause })
    this.kind = kind
    this.details = refusal
  }
}

/** The largest responses of the contract stay below a tenth of this. */
const maxResponseBytes = 4 * 1024 * 1024

export async function callOperation<O extends Operation, T extends EnvelopeData<O>>(
  operation: ClientOperation<O, T>,
  parts: RequestParts<O>,
  transport: Transport,
): Promise<CallResult<T>> {
  const envelope = await readJson(await sendRequest(operation, parts, transport))
  if (!isObject(envelope) || envelope['data'] === undefined) {
    throw new CallFailure('malformed', 'it has no data')
  }
  const { data, signature } = envelope
  try {
    return {
      data: operation.data(data),
      signedText: JSON.stringify(data),
      signature: typeof signature === 'string' ? signature : undefined,
    }
  } catch (error) {
    throw new CallFailure('malformed', (error as Error).message, error)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The response of an operation whose reply is no envelope; throws unless it is a success. */
export async function sendRequest<O extends Operation, T extends EnvelopeData<O>>(
  operation: ClientOperation<O, T>,
  parts: RequestParts<O>,
  { fetch, address, init }: Transport,
): Promise<Response> {
  const { params, query, body, form } = parts as UncheckedParts
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name]).toWellFormed()),
  )
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString()
  const headers = new Headers(init.headers)
  if (body) headers.set('content-type', 'application/json')
  let response: Response
  try {
    response = await fetch(`${address}${path}${search && `?${search}`}`, {
      ...init,
      method: operation.method,
      headers,
      // Followed, a redirect would take key, token, consent or PIN to another server: fetch removes no header but Authorization.
      redirect: 'manual',
      body: (form ?? JSON.stringify(body)) as BodyInit,
    })
  } catch (error) {
    throw new CallFailure('unanswered', 'no response', error)
  }
  if (!response.ok) throw await readProblem(response)
  return response
}

interface UncheckedParts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** In the place of a body; the browser names its border. */
  readonly form?: FormData
}

/** What is read of a problem. Its sentence has a thousand bytes at most. */
const validateProblem = object<{
  code: string
  description: string
  type?: string | undefined
  triesLeft?: number | undefined
}>({
  code: text(100),
  description: text(10_000),
  type: optional(text(200)),
  triesLeft: optional(number),
})

async function readProblem(response: Response): Promise<CallFailure> {
  const { status } = response
  const problem = safeParse(validateProblem, await readJson(response).catch(() => undefined))
  if (!problem) return new CallFailure('malformed', `unexpected status ${status}`)
  const { code, description, type = '', triesLeft } = problem
  const [, name] = type.split('urn:cardwire:problem:') as [string, ProblemName?]
  const refusal = { status, code, description, problem: name, triesLeft }
  return new CallFailure('refused', description, undefined, refusal)
}

async function readJson(response: Response): Promise<unknown> {
  const body = await readBody(response, maxResponseBytes)
  try {
    return parseFlatJson(await body.text())
  } catch {
    // The parser's own message quotes the text, which may hold a token.
    throw new CallFailure('malformed', 'it is not JSON')
  }
}

/** Counts the bytes as they arrive, so that a response without an end is given up; one that breaks off is malformed, too. */
export async function readBody({ body }: Response, maxBytes: number): Promise<Blob> {
  let parts: BlobPart[] = []
  const reader = body?.getReader()
  for (let left = maxBytes; reader; ) {
    const { done, value } = await reader.read().catch((error) => {
      throw new CallFailure('malformed', 'it was cut off', error)
    })
    if (done) break
    left -= value.length
    if (left < 0) {
      reader.cancel().catch(() => 0)
      throw new CallFailure('malformed', 'it is too large')
    }
    // Each part takes some hundred bytes beside its content.
    if (parts.push(value) > 999) parts = [await new Blob(parts).arrayBuffer()]
  }
  return new Blob(parts)
}
