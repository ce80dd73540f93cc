/** Serves operations of the contract with Hono: parse at the door, authorize first, answer in the envelope. */
import type { Context, Env, Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod/mini'
import type { Input, Operation, Output } from './operation.ts'
import {
  type FieldError,
  Problem,
  type ProblemName,
  type ProblemSpelling,
  problemBody,
  problems,
  problemType,
} from './problem.ts'

// zod/mini brings no sentences of its own: a server has room for the English ones.
z.config(z.locales.en())

/** The largest body a JSON or form operation reads: 1 MiB. */
const largestBody = 1024 * 1024

/** Decides whether the request may go on; answers with who calls, or throws a problem. */
type Authorize<E extends Env, Caller> = (
  operation: Operation,
  context: Context<E>,
) => Promise<Caller>

type Handler<E extends Env, Caller, O extends Operation> = (
  input: Input<O> & { readonly caller: Caller },
  context: Context<E>,
) => Promise<Output<O>>

/** The context of a bound route says which operation it serves, and who calls. */
interface BoundEnv<Caller> extends Env {
  Variables: { operation: Operation; caller: Caller }
}

/** Binds an operation to its handler. */
export type Bind<E extends Env, Caller> = <const O extends Operation>(
  operation: O,
  handler: Handler<E, Caller, O>,
) => void

/** What goes into the envelope beside `data`: a signature over it, on the connector. */
type Seal = (data: unknown) => Readonly<Record<string, unknown>>

/** Makes `bind` for an app: routes appear in the order they are bound. */
export function binder<E extends BoundEnv<Caller>, Caller>(
  app: Hono<E>,
  authorize: Authorize<E, Caller>,
  seal: Seal = () => ({}),
): Bind<E, Caller> {
  return (operation, handler) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const admit: MiddlewareHandler<E> = async (context, next) => {
      context.set('operation', operation)
      context.set('caller', await authorize(operation, context))
      await next()
    }
    const serve = async (context: Context<E>): Promise<Response> => {
      const input = { ...(await read(operation, context)), caller: context.get('caller') }
      const output = await handler(input as Parameters<typeof handler>[0], context)
      return reply(operation, context, output, seal)
    }
    // An assertion is over the body, too: whoever checks it reads that.
    if (operation.body && operation.access === 'device')
      app.on(operation.method, path, limitBody, admit, serve)
    else if (operation.body) app.on(operation.method, path, admit, limitBody, serve)
    else app.on(operation.method, path, admit, serve)
  }
}

/** A length that is told is believed, as every HTTP parser does; only without one the body is watched as it comes. */
const limitBody: MiddlewareHandler = async (context, next) => {
  const told = context.req.header('content-length')
  if (told === undefined || context.req.header('transfer-encoding') !== undefined)
    return watchBody(context, next)
  if (Number(told) > largestBody) throw bodyTooLarge()
  return next()
}

const watchBody = bodyLimit({
  maxSize: largestBody,
  onError: () => {
    throw bodyTooLarge()
  },
})

const bodyTooLarge = () =>
  new Problem('body-too-large', `Cannot read the body: it is larger than ${largestBody} bytes`)

/** The response for a failure of `operation`; a failure outside any operation is told as a problem. */
export function problemResponse(
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
    const body = { error: oauthWord(problem.name), error_description: problem.message }
    const status = problem.name === 'input-invalid' ? 400 : problem.status
    return new Response(JSON.stringify(body), { status, headers })
  }
  headers.set('content-type', problemType)
  const body = JSON.stringify(problemBody(problem, requestId, spelling))
  return new Response(body, { status: problem.status, headers })
}

function oauthWord(name: ProblemName): string {
  const kind = problems[name]
  return 'oauth' in kind ? kind.oauth : 'invalid_request'
}

async function read<O extends Operation>(operation: O, context: Context): Promise<Input<O>> {
  const { req } = context
  const query = Object.fromEntries(
    Object.entries(req.queries()).map(([name, values]) => [
      name,
      values.length > 1 ? values : values[0],
    ]),
  )
  return {
    params: parse(operation.params, req.param(), 'path'),
    query: parse(operation.query, query, 'query'),
    headers: parse(operation.headers, req.header(), 'header'),
    body:
      operation.body &&
      parse(operation.body.schema, await readBody(operation.body, context), 'body'),
  } as Input<O>
}

const mediaOf = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

async function readBody(body: NonNullable<Operation['body']>, context: Context): Promise<unknown> {
  const expected = body.type === 'bytes' ? body.media : [mediaOf[body.type]]
  const actual = (context.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (actual === undefined || !expected.includes(actual)) {
    throw new Problem(
      'content-type-unsupported',
      `Cannot read the body: its content type is "${actual}", expected "${expected.join('" or "')}"`,
    )
  }
  if (body.type === 'bytes') return new Uint8Array(await context.req.arrayBuffer())
  const text = await context.req.text()
  return body.type === 'json' ? readJson(text) : readForm(text)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which may hold a password.
    throw new Problem('body-malformed', 'Cannot read the body: it is not JSON')
  }
}

function readForm(text: string): unknown {
  const fields = [...new URLSearchParams(text)]
  const form = Object.fromEntries(fields)
  if (Object.keys(form).length < fields.length) {
    throw new Problem('body-malformed', 'Cannot read the body: a parameter occurs twice')
  }
  return form
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, place: string): unknown {
  if (!schema) return {}
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const errors = result.error.issues.flatMap(fieldErrors)
  const said = errors
    .map(({ path, message }) => (path ? `"${path}": ${message}` : message))
    .join('; ')
  throw new Problem('input-invalid', `Cannot accept the ${place}: ${said}`, { errors })
}

/** The fields an issue is about: an unknown field is named itself, not the object that holds it. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code !== 'unrecognized_keys') {
    const missing = issue.message.endsWith('received undefined')
    return [{ path: dotted(issue.path), message: missing ? 'Missing' : issue.message }]
  }
  return issue.keys.map((key) => ({ path: dotted([...issue.path, key]), message: 'Unknown field' }))
}

const dotted = (path: readonly PropertyKey[]) =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text ? `${text}.${String(part)}` : String(part)
  }, '')

function reply<O extends Operation>(
  operation: O,
  context: Context,
  output: Output<O>,
  seal: Seal,
): Response {
  if (operation.reply.kind === 'response') return output as Response
  if (operation.reply.kind === 'document') {
    return context.body(JSON.stringify(output), 200, { 'content-type': operation.reply.media })
  }
  const { data, created } = output as { data: unknown; created?: boolean }
  const status = operation.reply.kind === 'data' ? operation.reply.status : created ? 201 : 200
  return context.json({ success: true, data, ...seal(data) }, status)
}
