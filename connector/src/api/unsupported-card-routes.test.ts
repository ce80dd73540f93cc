/** Calls for cards that the connector has no operation for: what the user reads. */
import { Problem } from '@cardwire/protocol/problem'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import { bindUnsupportedCardRoutes } from './unsupported-card-routes.ts'

const caller: Caller = {
  kind: 'program',
  label: undefined,
  expiresAt: Number.POSITIVE_INFINITY,
}

const request = async (path: string, method: string): Promise<unknown> => {
  const app = new Hono<ApiEnv>()
  bindUnsupportedCardRoutes(app, async () => caller)
  app.onError((error, context) =>
    error instanceof Problem ? context.json([error.name, error.message]) : context.text('', 500),
  )
  return (await app.request(`/v3/modules/${path}`, { method })).json()
}

test.each([
  ['GET', 'token/readers/1/unknown'],
  ['POST', 'payment/readers/1/all-data'],
  ['DELETE', 'hsm/session'],
])('%s of %s is a problem in a sentence, without the method', async (method, path) => {
  expect(await request(`piv/apps/${path}`, method)).toEqual([
    'card-unsupported',
    'Cannot do this with cards of module "piv": the connector has no such operation for them',
  ])
})
