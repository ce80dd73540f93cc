/** A print job that waits while others print. */
import { Problem, printRaw } from '@cardwire/client/protocol'
import { createBinder } from '@cardwire/client/protocol/hono'
import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { ApiEnv, Caller } from '../http/route-types.ts'
import { bindPrintRoutes } from './print-routes.ts'

const origin = 'https://shop.example'
const caller: Caller = {
  ...{ kind: 'page', origin, consentId: 'a consent' },
  ...{ label: undefined, expiresAt: Number.POSITIVE_INFINITY },
}

test('a job whose page loses its consent while others print is not printed, also if the user gives another', async () => {
  proves('consent-given-again')
  let activeId = 'a consent'
  const listed = Promise.withResolvers<readonly string[]>()
  const print = vi.fn(async () => undefined)
  const app = new Hono<ApiEnv>()
  app.onError((error) =>
    Response.json(error.message, { status: error instanceof Problem ? error.status : 500 }),
  )
  bindPrintRoutes(
    createBinder<ApiEnv, Caller>(app, async () => caller),
    {
      printers: { list: () => listed.promise, print },
      hasGrant: () => true,
      log: silentLog,
      counters: {
        ...{ add: () => undefined, batches: () => [] },
        ...{ acknowledge: () => undefined, list: () => [] },
      },
      consents: { isActive: (id) => id === activeId, onEnd: () => () => undefined },
      ...{ allowlist: () => [origin], onAllowlist: () => () => undefined },
      ...{ isPolicyExpired: () => false, clock: () => 0 },
    },
  )
  const body = JSON.stringify({ name: 'Labels', job: 'A job', data: 'QQ==' })
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const answer = app.request(printRaw.path, init, { keepOpen: () => undefined })
  activeId = 'another consent'
  listed.resolve(['Labels'])
  expect((await answer).status).toBe(403)
  expect(print).not.toHaveBeenCalled()
})
