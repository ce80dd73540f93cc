/** Who may ask whether a key is valid, and how often. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type InProcess, startInProcess } from '../harness/in-process.ts'

const createKey = async (ds: InProcess): Promise<string> => {
  const token = await ds.login()
  await ds.request('PUT', '/v3/organizations', { token, body: { name: 'Org' } })
  const body = { name: 'Label', orgId: 'org' }
  return (await ds.request('PUT', '/v3/labels', { token, body })).json.data.apiKey
}

test.each([
  ['no peer, if no proxy is trusted', {}, { '127.0.0.1': 403, '::1': 403, '192.0.2.7': 403 }],
  [
    'only trusted proxies',
    { DS_TRUST_PROXY: '10.0.0.0/8, ::1' },
    { '10.1.2.3': 200, '::1': 200, '::ffff:10.1.2.3': 200, '127.0.0.1': 403, '192.0.2.7': 403 },
  ],
] as const)('%s may check a key, whatever its client forwards', async (_, settings, statuses) => {
  proves('gateway-public')
  const ds = await startInProcess(settings)
  const apikey = await createKey(ds)
  for (const [from, status] of Object.entries(statuses)) {
    for (const path of ['/v3/gateway/check', '/v3/gateway/check/x']) {
      const headers = { apikey, 'x-forwarded-for': '10.1.2.3' }
      const answer = await ds.request('GET', path, { from, headers })
      expect([from, answer.status, answer.text]).toEqual([from, status, ''])
    }
  }
  await ds.stop()
})

test('checks count as exchanges of the key do, and the limit says when to try again', async () => {
  proves('gateway-guessed')
  const ds = await startInProcess({ DS_TRUST_PROXY: '10.0.0.1', DS_TOKEN_LIMIT: '3' })
  const apikey = await createKey(ds)
  const ask = (path: string, from: string) =>
    ds.request('GET', path, { from: '10.0.0.1', headers: { apikey, 'x-forwarded-for': from } })
  expect((await ask('/v3/tokens/application', '192.0.2.1')).status).toBe(200)
  expect((await ask('/v3/gateway/check', '192.0.2.2')).status).toBe(200)
  expect((await ask('/v3/gateway/check', '192.0.2.3')).status).toBe(200)
  const limited = await ask('/v3/gateway/check', '192.0.2.4')
  expect([limited.status, limited.text]).toEqual([429, ''])
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('/v3/tokens/application', '192.0.2.5')).status).toBe(429)
  await ds.stop()
})

test('a key that is checked counts as used', async () => {
  proves('gateway-forward-auth')
  const ds = await startInProcess({ DS_TRUST_PROXY: '10.0.0.1' })
  const apikey = await createKey(ds)
  await ds.request('GET', '/v3/gateway/check', { from: '10.0.0.1', headers: { apikey } })
  const { json } = await ds.request('GET', '/v3/labels/label', { token: await ds.login() })
  expect(json.data.keyUsedAt).toBe('2026-01-01')
  await ds.stop()
})
