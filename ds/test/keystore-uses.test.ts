/** What is read when the file of a keystore is stored or removed. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Row } from '../src/db/database.ts'
import { configurations, versions } from '../src/db/schema.ts'
import { startInProcess } from './harness/in-process.ts'

test('keystores are stored and removed without reading the other configurations', async () => {
  proves('configurations-read')
  const ds = await startInProcess()
  try {
    const token = await ds.login()
    const { db } = ds.services
    const times = { createdAt: 1, updatedAt: 1 }
    for (let n = 0; n < 20; n += 1) {
      const id = `1.0.${n}`
      const flags = { recommended: false, mandatory: false, allowed: true }
      await db
        .insert(versions)
        .values({ id, precedence: id, ...flags, uris: [], revision: 1, ...times })
      const cors = Array.from({ length: 4000 }, (_, at) => `https://page-${at}.of-${n}.example`)
      const type = 'CONTEXT_CONFIG'
      await db
        .insert(configurations)
        .values({ id: `c${n}`, versionId: id, type, config: { cors }, ...times })
    }
    const read: (readonly Row[])[] = []
    const { run } = ds.driver
    Object.assign(ds.driver, {
      run: async (statement: Parameters<typeof run>[0]) => {
        const rows = await run(statement)
        read.push(rows)
        return rows
      },
    })
    const path = '/v3/keystores/a.p12'
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '3' }
    const body = new Uint8Array([1, 2, 3])
    expect((await ds.request('PUT', path, { token, headers, body })).status).toBe(201)
    expect((await ds.request('DELETE', path, { token })).status).toBe(200)
    expect(JSON.stringify(read).length).toBeLessThan(100_000)
  } finally {
    await ds.stop()
  }
})
