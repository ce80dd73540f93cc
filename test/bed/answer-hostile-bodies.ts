/** Sends hostile bodies to operations as servers bind them, and says how each was answered. */
import { type Operation, Problem } from '@cardwire/protocol'
import { createBinder, createProblemResponse } from '@cardwire/protocol/hono'
import { createHostileBodies, getBodySchema } from './hostile-bodies.ts'

type Server = Parameters<typeof createBinder>[0]

export interface Answer {
  readonly name: string
  readonly status: number
  readonly bytes: number
  readonly text: string
}

/** Every body of every operation, by an empty app that lets everybody in; what is accepted is a 404. */
export async function* answerHostileBodies(app: Server, operations: readonly Operation[]) {
  bindAll(app, operations)
  for (const operation of operations) {
    const { body, method, path } = operation
    const schema = getBodySchema(operation)
    if (!body || !schema || body.type === 'form') continue
    for (const { name, text } of createHostileBodies(schema)) {
      const response = await app.request(path.replaceAll(/\{\w+\}/g, 'a'), {
        method,
        headers: { 'content-type': 'application/json' },
        body: text,
      })
      const answer = await response.text()
      const bytes = new TextEncoder().encode(answer).length
      yield {
        name: `${operation.name}: ${name}`,
        status: response.status,
        bytes,
        text: answer,
      } satisfies Answer
    }
  }
}

function bindAll(app: Server, operations: readonly Operation[]): void {
  app.onError((error, context) =>
    error instanceof Problem
      ? createProblemResponse(error, crypto.randomUUID(), context.get('operation'))
      : new Response(`${error.name}: ${error.message}`, { status: 500 }),
  )
  const bind = createBinder(app, async (): Promise<unknown> => undefined)
  // Without its parameters, headers and query: only the body is looked at.
  for (const { params, query, headers, ...operation } of operations) {
    bind(operation as Operation, async () => {
      throw new Problem('route-unknown', 'Accepted')
    })
  }
}
