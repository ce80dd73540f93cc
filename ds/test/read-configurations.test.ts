/** How much of the configurations is read, of which each may have 1 MiB. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import type { Row } from '../src/db/database.ts'
import { configurations, versions } from '../src/db/schema.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

async function addAllowlist({ services: { db } }: InProcess, id: string, cors: string[]) {
  const times = { createdAt: 1, updatedAt: 1 }
  const flags = { recommended: false, mandatory: false, allowed: true }
  await db
    .insert(versions)
    .values({ id, precedence: id, ...flags, uris: [], revision: 1, ...times })
  const type = 'CONTEXT_CONFIG'
  await db
    .insert(configurations)
    .values({ id: `of-${id}`, versionId: id, type, config: { cors }, ...times })
}

/** The rows of each statement from now on. */
function watchRows({ driver }: InProcess): readonly (readonly Row[])[] {
  const read: (readonly Row[])[] = []
  const { run } = driver
  Object.assign(driver, {
    run: async (statement: Parameters<typeof run>[0]) => {
      const rows = await run(statement)
      read.push(rows)
      return rows
    },
  })
  return read
}

test('keystores are stored and removed without reading the other configurations', async () => {
  proves('configurations-read')
  const ds = await startInProcess()
  try {
    const token = await ds.login()
    for (let n = 0; n < 20; n += 1)
      await addAllowlist(
        ds,
        `1.0.${n}`,
        Array.from({ length: 4000 }, (_, at) => `https://page-${at}.of-${n}.example`),
      )
    const read = watchRows(ds)
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

test('a list weighs the bytes of configurations, which it need not read for that', async () => {
  proves('configurations-read')
  const ds = await startInProcess()
  try {
    const token = await ds.login()
    for (const id of ['1.0.0', '1.1.0']) await addAllowlist(ds, id, ['€'.repeat(100_000)])
    const read = watchRows(ds)
    const list = await ds.request('GET', '/v3/configurations?size=100', { token })
    expect(list.json.data.items).toHaveLength(2)
    expect(
      read.filter((rows) => JSON.stringify(rows).includes('€')).map((rows) => rows.length),
    ).toEqual([1, 1])
  } finally {
    await ds.stop()
  }
})
