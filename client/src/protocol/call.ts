/** Calls one operation of the contract with fetch, and reads the envelope or the problem that comes back. */
import type * as z from 'zod/mini'
import type { Operation } from './operation.ts'
import type { ProblemName } from './problem.ts'

/** The parts of a request that an operation declares. */
export type Asked<O extends Operation> = Part<O, 'params'> & Part<O, 'query'> & BodyPart<O>

type Part<O, Name extends string> = O extends {
  readonly [name in Name]: infer S extends z.ZodMiniType
}
  ? { readonly [name in Name]: z.input<S> }
  : unknown
type BodyPart<O> = O extends { readonly body: { readonly schema: infer S extends z.ZodMiniType } }
  ? { readonly body: z.input<S> }
  : unknown

/** What an operation's envelope holds. */
type Data<O extends Operation> = O['reply'] extends {
  readonly schema: infer S extends z.ZodMiniType
}
  ? O['reply']['kind'] extends 'document'
    ? z.output<S> extends { readonly data: infer D }
      ? D
      : never
    : z.output<S>
  : unknown

/**
 * What a caller needs of an operation while it runs. The types are the operation's own, so that the compiler compares
 * what is written here with the contract, and a bundle carries none of the rest.
 */
export interface Callable<O extends Operation, T extends Data<O> = Data<O>> {
  readonly method: O['method']
  readonly path: O['path']
  readonly access: O['access']
  /** Gives the data as it is read, or throws an error whose message says what is wrong with it. */
  readonly data: (data: unknown) => T
  /** Never there: it lets the compiler find the operation again. */
  readonly of?: O
}

/** How a request goes out. */
export interface Via {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** `https://localhost:51983` */
  readonly address: string
  readonly init: RequestInit
}

/** What came back: the data as the schema has it, and the text that a signature would be over. */
export interface Answer<T> {
  readonly data: T
  readonly signed: string
  readonly signature: string | undefined
}

/** What a failure is read from: `problem` is the name in the table of problems, when it is one of ours. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly description: string
  readonly problem: ProblemName | undefined
}

/** A call that came to no good end. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** `unanswered`: fetch gave no response; `malformed`: what came is no answer; `refused`: it is a problem. */
  readonly kind: 'unanswered' | 'malformed' | 'refused'
  readonly refusal: Refusal | undefined

  constructor(kind: CallFailure['kind'], message: string, cause?: unknown, refusal?: Refusal) {
    super(message, { cause })
    this.kind = kind
    this.refusal = refusal
  }
}

/** The most bytes of an answer; the largest of the contract stay below a tenth of it. */
const largestAnswer = 4 * 1024 * 1024

export async function call<O extends Operation, T extends Data<O>>(
  operation: Callable<O, T>,
  asked: Asked<O>,
  via: Via,
): Promise<Answer<T>> {
  const envelope = await readJson(await send(operation, asked, via))
  if (!isObject(envelope) || envelope['data'] === undefined) {
    throw new CallFailure('malformed', 'it has no data')
  }
  const { data, signature } = envelope
  try {
    return {
      data: operation.data(data),
      signed: JSON.stringify(data),
      signature: typeof signature === 'string' ? signature : undefined,
    }
  } catch (error) {
    throw new CallFailure('malformed', error instanceof Error ? error.message : 'unknown', error)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The response of an operation, for those that are no envelope; throws what is not a success. */
export async function send<O extends Operation, T extends Data<O>>(
  operation: Callable<O, T>,
  asked: Asked<O>,
  { fetch, address, init }: Via,
): Promise<Response> {
  const { params, query, body } = asked as Parts
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  )
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString()
  const headers = new Headers(init.headers)
  if (body !== undefined) headers.set('content-type', 'application/json')
  let response: Response
  try {
    response = await fetch(`${address}${path}${search && `?${search}`}`, {
      ...init,
      method: operation.method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch (error) {
    throw new CallFailure('unanswered', 'there was no answer', error)
  }
  if (!response.ok) throw await refusalOf(response)
  return response
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

async function refusalOf(response: Response): Promise<CallFailure> {
  const { status } = response
  const problem = await readJson(response).catch(() => undefined)
  if (!isObject(problem)) {
    return new CallFailure('malformed', `it is no problem of ours, its status is ${status}`)
  }
  const { code, description, type } = problem
  const name = /^urn:cardwire:problem:(.+)$/.exec(String(type))?.[1] as ProblemName | undefined
  const refusal = { status, code: String(code), description: String(description), problem: name }
  return new CallFailure('refused', refusal.description, undefined, refusal)
}

async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response)
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which may hold a token.
    throw new CallFailure('malformed', 'it is not JSON')
  }
}

/** Counted while it comes, so that an endless answer ends here. */
async function readText({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read().catch((error) => {
      throw new CallFailure('malformed', 'it broke off', error)
    })
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > largestAnswer) {
      void reader.cancel().catch(() => undefined)
      throw new CallFailure('malformed', `it is larger than ${largestAnswer} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
