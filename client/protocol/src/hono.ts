/** Serves operations of the contract with Hono: authorizes the caller, parses the input, writes the envelope. */
import type { Context, Env, Hono, MiddlewareHandler } from 'hono'
import { type Input, mediaTypes, type Operation, type Output } from './operation.ts'
import { parseInput } from './parse-input.ts'
import { parseJson } from './parse-json.ts'
import {
  Problem,
  type ProblemName,
  type ProblemSpelling,
  problemBody,
  problems,
  problemType,
} from './problem.ts'
import { receiveBody } from './receive-body.ts'
import { toEntityTag } from './revision.ts'

export { parseInput } from './parse-input.ts'
export { parseJson } from './parse-json.ts'

export { receiveBody }

/** Resolves with the caller, or throws a problem when the caller may not call the operation. */
type Authorize<E extends Env, Caller> = (
  operation: Operation,
  context: Context<E>,
) => Promise<Caller>

type Handler<E extends Env, Caller, O extends Operation> = (
  input: Input<O> & { readonly caller: Caller },
  context: Context<E>,
) => Promise<Output<O>>

/** The context variables of a bound route: its operation, and the caller. */
interface OperationEnv<Caller> extends Env {
  Variables: { operation: Operation; caller: Caller }
}

/** Binds an operation to its handler. */
export type Bind<E extends Env, Caller> = <const O extends Operation>(
  operation: O,
  handler: Handler<E, Caller, O>,
) => void

/** The members of the envelope beside `data`: on the connector, the signature over it. */
type SignEnvelope = (data: unknown) => Readonly<Record<string, unknown>>

interface BinderOptions<E extends Env> {
  readonly signEnvelope?: SignEnvelope
  /** Runs when a body was received; it is parsed when this resolves. Throws a problem when the caller did not send this body, or too many. */
  readonly verifyBody?: (context: Context<E>) => Promise<void>
}

/** Creates `bind` for an app: routes match in the order in which they are bound. */
export function createBinder<E extends OperationEnv<Caller>, Caller>(
  app: Hono<E>,
  authorize: Authorize<E, Caller>,
  { signEnvelope = () => ({}), verifyBody = async () => undefined }: BinderOptions<E> = {},
): Bind<E, Caller> {
  return (operation, handler) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const authorizeCaller: MiddlewareHandler<E> = async (context, next) => {
      context.set('operation', operation)
      context.set('caller', await authorize(operation, context))
      await next()
    }
    const runHandler = async (context: Context<E>): Promise<Response> => {
      const input = { ...(await readInput(operation, context)), caller: context.get('caller') }
      const output = await handler(input as Parameters<typeof handler>[0], context)
      return toResponse(operation, context, output, signEnvelope)
    }
    const { body } = operation
    if (!body) {
      app.on(operation.method, path, authorizeCaller, runHandler)
      return
    }
    // Nothing of a body is read for a caller that is refused.
    const receive: MiddlewareHandler<E> = async (context, next) => {
      if (body.type !== 'stream') await receiveBody(context, body.type)
      await verifyBody(context)
      await next()
    }
    app.on(operation.method, path, authorizeCaller, receive, runHandler)
  }
}

/** The response for a failure of `operation`; without an operation it is a problem document. */
export function createProblemResponse(
  problem: Problem,
  requestId: string,
  operation?: Operation,
  spelling: ProblemSpelling = 'name',
): Response {
  const headers = new Headers(problem.extras.headers)
  headers.set('cache-control', 'no-store')
  if (problem.extras.retryAfterS !== undefined) {
    headers.set('retry-after', String(Math.max(1, Math.ceil(problem.extras.retryAfterS))))
  }
  if (operation?.failures === 'oauth') {
    headers.set('content-type', 'application/json')
    const body = { error: getOauthError(problem.name), error_description: problem.message }
    const status = problem.name === 'input-invalid' ? 400 : problem.status
    return new Response(JSON.stringify(body), { status, headers })
  }
  if (operation?.failures === 'empty')
    return new Response(null, { status: problem.status, headers })
  headers.set('content-type', problemType)
  const body = JSON.stringify(problemBody(problem, requestId, spelling))
  return new Response(body, { status: problem.status, headers })
}

function getOauthError(name: ProblemName): string {
  const kind = problems[name]
  return 'oauth' in kind ? kind.oauth : 'invalid_request'
}

async function readInput<O extends Operation>(operation: O, context: Context): Promise<Input<O>> {
  const { req } = context
  const query = Object.fromEntries(
    Object.entries(req.queries()).map(([name, values]) => [
      name,
      values.length > 1 ? values : values[0],
    ]),
  )
  requireKnownLimit(operation, query)
  return {
    params: parseInput(operation.params, req.param(), 'path'),
    query: parseInput(operation.query, query, 'query'),
    headers: parseInput(operation.headers, req.header(), 'header'),
    body: operation.body && (await readBody(operation.body, context)),
  } as Input<O>
}

/** A limit that an operation does not know would protect nothing; unknown parameters of other names do no harm. */
function requireKnownLimit({ query: schema }: Operation, query: object): void {
  if (!('maxReach' in query) || (schema && 'maxReach' in schema.shape)) return
  throw new Problem(
    'input-invalid',
    'Cannot accept the query: "maxReach": this operation takes no limit, leave it out',
    { errors: [{ path: 'maxReach', message: 'this operation takes no limit' }] },
  )
}

async function readBody(body: NonNullable<Operation['body']>, context: Context): Promise<unknown> {
  if ('optional' in body && body.optional && (await context.req.text()) === '')
    return parseInput(body.schema, {}, 'body')
  requireMedia('media' in body ? body.media : mediaTypes[body.type], context)
  if (body.type === 'stream') return context.req.raw.body ?? new Blob().stream()
  return parseInput(body.schema, await parseBody(body.type, context), 'body')
}

function requireMedia(expected: readonly string[], context: Context): void {
  const actual = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (actual !== undefined && expected.includes(actual)) return
  const found = actual ? `its content type is "${actual}"` : 'it has no content type'
  throw new Problem(
    'content-type-unsupported',
    `Cannot read the body: ${found}, expected "${expected.join('" or "')}"`,
  )
}

type BodyType = NonNullable<Operation['body']>['type']

async function parseBody(type: Exclude<BodyType, 'stream'>, { req }: Context): Promise<unknown> {
  if (type === 'bytes') return new Uint8Array(await req.arrayBuffer())
  const text = await req.text()
  return type === 'form' ? readForm(text) : parseJson(text)
}

function readForm(text: string): unknown {
  const fields = [...new URLSearchParams(text)]
  const form = Object.fromEntries(fields)
  if (Object.keys(form).length < fields.length) {
    throw new Problem('body-malformed', 'Cannot read the body: a parameter occurs twice')
  }
  return form
}

function toResponse<O extends Operation>(
  operation: O,
  context: Context,
  output: Output<O>,
  signEnvelope: SignEnvelope,
): Response {
  if (operation.reply.kind === 'response' || output instanceof Response) return output as Response
  if (operation.reply.kind === 'document') {
    return context.body(JSON.stringify(output), 200, { 'content-type': operation.reply.media })
  }
  const { data, created } = output as { data: unknown; created?: boolean }
  if (operation.entityTag) {
    const { revision } = data as { readonly revision: number }
    context.header('etag', toEntityTag(revision))
  }
  const status = operation.reply.kind === 'data' ? operation.reply.status : created ? 201 : 200
  return context.json({ success: true, data, ...signEnvelope(data) }, status)
}
