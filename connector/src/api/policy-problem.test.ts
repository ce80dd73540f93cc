/** Who is refused when the policy of the service has expired or the device is blocked, and in which form. */
import { synchronise } from '@cardwire/protocol/connector-sync'
import { getConnectorVersion, getDeviceKey } from '@cardwire/protocol/connector-system'
import { createBinder } from '@cardwire/protocol/hono'
import type { Operation } from '@cardwire/protocol/operation'
import { expect, test } from 'vitest'
import { createLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { PolicyEnd } from '../distribution/distribution.ts'
import { createBaseApp } from '../http/base-app.ts'
import { createAuthorizer } from './authorize.ts'

const origin = 'https://shop.example'
let end: PolicyEnd | undefined

/** Requests an operation; `token`: an application's, the management token, or one that is not valid. */
async function request({ method, path }: Operation, token: string, from?: string) {
  const log = createLog([])
  const app = createBaseApp({
    log,
    names: () => new Set(['localhost']),
    allowlist: () => [origin],
    ownerOf: async () => ({ kind: 'ours', user: '1000' }),
    servesEveryone: false,
  })
  const authorize = createAuthorizer({
    log,
    consents: { findLatest: () => ({ id: 'a consent' }) },
    managementToken: 'management',
    findPolicyEnd: () => end,
    tokens: {
      required: true,
      async verify(given) {
        if (given !== 'application') throw new Error('another key')
        return { label: 'shop', expiresAt: Number.POSITIVE_INFINITY }
      },
    },
  })
  const bind = createBinder(app, authorize)
  bind(getConnectorVersion, async () => ({ data: { version: '4.0.0' } }))
  bind(getDeviceKey, async () => ({ data: null }))
  bind(synchronise, async () => ({ data: { standing: 'good' as const } }))
  const headers = { host: 'localhost', 'x-csrf-token': 't1c-js', authorization: `Bearer ${token}` }
  return app.fetch(
    new Request(`https://localhost${path}`, {
      method,
      headers: { ...headers, ...(from !== undefined && { origin: from }) },
    }),
    { peer: { address: '127.0.0.1', port: 50_000 }, port: 25_100, keepOpen: () => undefined },
  )
}

test.each(['application', 'of a key that the service has retired since'])(
  'a page with a token %s learns that the policy has expired, in the form of legacy clients',
  async (token) => {
    proves('service-kept-away')
    end = 'policy-expired'
    const response = await request(getConnectorVersion, token, origin)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        success: false,
        code: '105001',
        type: 'urn:cardwire:problem:policy-expired',
        description: expect.stringContaining('cardwire sync'),
      }),
    ])
  },
)

test('a page learns that the device is blocked, and the programs of the user are answered', async () => {
  proves('block-ends-access', 'device-stolen')
  end = 'device-blocked'
  const response = await request(getConnectorVersion, 'a token of before', origin)
  expect([response.status, await response.json()]).toEqual([
    403,
    expect.objectContaining({ code: '105002', type: 'urn:cardwire:problem:device-blocked' }),
  ])
  expect((await request(getConnectorVersion, 'application')).status).toBe(403)
  expect((await request(synchronise, 'management')).status).toBe(200)
})

test('a program with the token of an application is refused like a page', async () => {
  end = 'policy-expired'
  expect((await request(getConnectorVersion, 'application')).status).toBe(503)
})

test.each([
  ['the programs of the user', getConnectorVersion, 'management', undefined],
  ['a synchronization', synchronise, 'management', undefined],
  ['the public key, which clients request first', getDeviceKey, 'application', origin],
])('%s is answered all the same', async (_, operation, token, from) => {
  proves('policy-expiry')
  end = 'policy-expired'
  expect((await request(operation, token, from)).status).toBe(200)
})

test('a page is answered as soon as the policy holds again', async () => {
  end = undefined
  expect((await request(getConnectorVersion, 'application', origin)).status).toBe(200)
})
