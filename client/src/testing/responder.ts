/** Responds to the requests of the client with operations of the contract: parses the input, writes envelope or problem. */
import type { Input, Operation, Output } from '@cardwire/protocol/operation'
import { parseInput } from '@cardwire/protocol/parse-input'
import { type Problem, problemBody, problemType } from '@cardwire/protocol/problem'
import { createProblem } from './table-problem.ts'
import type { TestRequest } from './test-types.ts'

/** What a handler knows beside its input. */
export interface RequestContext {
  /** Whether the request came to the address of the registry. */
  readonly isRegistry: boolean
  readonly headers: Headers
  /** Aborted when the client gives the request up. */
  readonly signal: AbortSignal
}

/** An operation with its handler. */
export interface BoundOperation {
  readonly operation: Operation
  respond(request: MatchedRequest, context: RequestContext): Promise<Response>
}

interface MatchedRequest extends TestRequest {
  readonly params: Readonly<Record<string, string>>
}

export function bind<const O extends Operation>(
  operation: O,
  handle: (input: Input<O>, context: RequestContext) => Promise<Output<O>>,
): BoundOperation {
  return {
    operation,
    async respond(request, context) {
      const input = {
        params: parseInput(operation.params, request.params, 'path'),
        query: parseInput(operation.query, request.query, 'query'),
        headers: parseInput(operation.headers, request.headers, 'header'),
        body: readBody(operation.body, request.body),
      } as Input<O>
      return toResponse(operation, await handle(input, context))
    },
  }
}

/** Finds the operation of a request; those that come first match first. */
export function matchRequest(
  operations: readonly BoundOperation[],
  url: string,
  init: RequestInit,
): { readonly bound: BoundOperation; readonly request: MatchedRequest } {
  const { pathname, searchParams } = new URL(url)
  const method = init.method ?? 'GET'
  for (const bound of operations) {
    const params = bound.operation.method === method && matchPath(bound.operation.path, pathname)
    if (!params) continue
    const request = {
      operation: bound.operation.name,
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : (init.body ?? undefined),
      params,
    }
    return { bound, request }
  }
  throw createProblem('route-unknown')
}

/** The response for a failure, as a connector spells it. */
export const toProblemResponse = (problem: Problem): Response =>
  new Response(JSON.stringify(problemBody(problem, crypto.randomUUID(), 'wire')), {
    status: problem.status,
    headers: { 'content-type': problemType },
  })

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const [expected, actual] = [template.split('/'), path.split('/')]
  if (expected.length !== actual.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of expected.entries()) {
    const value = actual[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name !== undefined) params[name] = decodeURIComponent(value)
    else if (part !== value) return undefined
  }
  return params
}

/** What stands for a signature: the verifier of the simulated browser takes no other. */
export const genuineSignature = 'genuine'

/** The same response with another signature. */
export async function forge(response: Response): Promise<Response> {
  const envelope: object = await response.json()
  return new Response(JSON.stringify({ ...envelope, signature: btoa('forged') }), response)
}

function toResponse<O extends Operation>({ reply }: O, output: Output<O>): Response {
  if (reply.kind === 'response') return output as Response
  const signature = btoa(genuineSignature)
  const body =
    reply.kind === 'document'
      ? { ...(output as object), signature }
      : { success: true, data: (output as { data: unknown }).data, signature }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}

/** The text of a stream is its bytes. */
const readBody = (body: Operation['body'], value: unknown): unknown =>
  body && (body.type === 'stream' ? value : parseInput(body.schema, value, 'body'))
