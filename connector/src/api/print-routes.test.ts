/** Print jobs that wait while others print, and those for no printer of the list. */

import { createBinder } from '@cardwire/protocol/hono'
import { Problem } from '@cardwire/protocol/problem'
import { printRaw } from '@cardwire/protocol/raw-print'
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

interface Printing {
  readonly list: () => Promise<readonly string[]>
  readonly isActive: (consentId: string) => boolean
}

/** A page with the grant that sends a job. */
function openPrinting({ list, isActive }: Printing) {
  const print = vi.fn(async () => undefined)
  const app = new Hono<ApiEnv>()
  app.onError((error) =>
    Response.json(error.message, { status: error instanceof Problem ? error.status : 500 }),
  )
  bindPrintRoutes(
    createBinder<ApiEnv, Caller>(app, async () => caller),
    {
      printers: { list, print },
      hasGrant: () => true,
      log: silentLog,
      counters: {
        ...{ add: () => undefined, batches: () => [] },
        ...{ acknowledge: () => undefined, list: () => [] },
      },
      consents: { isActive, onEnd: () => () => undefined },
      ...{ allowlist: () => [origin], onAllowlist: () => () => undefined },
      ...{ findPolicyEnd: () => undefined, clock: () => 0 },
    },
  )
  const send = async (name: string) => {
    const body = JSON.stringify({ name, job: 'A job', data: 'QQ==' })
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    return (await app.request(printRaw.path, init, { keepOpen: () => undefined })).status
  }
  return { print, send }
}

test('a job whose page loses its consent while others print is not printed, also if the user gives another', async () => {
  proves('consent-given-again')
  let activeId = 'a consent'
  const listed = Promise.withResolvers<readonly string[]>()
  const { print, send } = openPrinting({
    list: () => listed.promise,
    isActive: (id) => id === activeId,
  })
  const status = send('Labels')
  activeId = 'another consent'
  listed.resolve(['Labels'])
  expect(await status).toBe(403)
  expect(print).not.toHaveBeenCalled()
})

test.each(['labels', 'Labels/instance', '-dLabels', 'Labels\n', 'Label'])(
  'a job for %j, which is not the whole name of a printer, is not printed',
  async (name) => {
    proves('print-arguments')
    const { print, send } = openPrinting({ list: async () => ['Labels'], isActive: () => true })
    expect([await send(name), await send('Labels')]).toEqual([422, 200])
    expect(print).toHaveBeenCalledTimes(1)
  },
)
