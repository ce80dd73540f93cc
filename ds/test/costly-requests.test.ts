/** What a stranger sends that is read before a credential is asked for: it takes linear time at its largest size. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCostly } from '../../test/bed/costly-requests.ts'
import { proves } from '../../test/bed/proves.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess

beforeAll(async () => {
  ds = await startInProcess({ DS_CORS: 'https://shop.example', DS_TRUST_PROXY: '192.0.2.0/24' })
})
afterAll(() => ds.stop())

test('every header, path and query takes linear time, or less than 5 ms', async () => {
  proves('costly-header')
  const paths = [
    '/v3/downloads/installer',
    '/v3/downloads/manifest',
    '/v3/versions',
    '/v3/devices/keystore',
    '/health',
    '/metrics',
    '/docs',
    '/admin/login',
    '/none',
  ]
  const costly = await findCostly(paths, ({ path, headers }) =>
    ds.request('GET', path, { headers }),
  )
  expect(costly).toEqual([])
})
