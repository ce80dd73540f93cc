/** When requests of strangers and of pages read the versions: only after a change of one. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let folder: string
let driver: FileDriver
let ds: InProcess
let reads = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-versions-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  const { run, batch } = driver
  const watched: typeof run = (statement) => {
    if (/ from "versions"$/.test(statement.sql)) reads += 1
    return run(statement)
  }
  ds = await startInProcess({}, undefined, { driver: { run: watched, batch } })
})
afterAll(async () => {
  await ds.stop()
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

async function putVersion(id: string, uri: string) {
  const body = { id, recommended: false, mandatory: false, allowed: true }
  const uris = [{ os: 'UNIX', uri }]
  const token = await ds.login()
  expect((await ds.request('PUT', '/v3/versions', { token, body: { ...body, uris } })).status).toBe(
    201,
  )
}

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' }

/** The status or the answer of each request, and how often all versions were read for them. */
async function ask() {
  const token = await ds.login()
  reads = 0
  const responses = [
    await ds.request('GET', '/v3/downloads/installer', { headers: browser }),
    await ds.request('GET', '/v3/downloads/installers/unix'),
    await ds.request('GET', '/v3/versions/latest?os=UNIX', { token }),
    await ds.request('GET', '/v3/versions', { token }),
  ]
  return {
    addresses: responses.slice(0, 2).map(({ headers }) => headers.get('location')),
    latest: responses[2]?.json.data.id,
    listed: responses[3]?.json.data.total,
    reads,
  }
}

test('downloads and lists read the versions once after a change, and see it at once', async () => {
  proves('versions-compared')
  await putVersion('1.0.0', 'https://one.example/a')
  const first = { addresses: Array(2).fill('https://one.example/a'), latest: '1.0.0', listed: 1 }
  expect(await ask()).toEqual({ ...first, reads: 1 })
  expect(await ask()).toEqual({ ...first, reads: 0 })
  await putVersion('2.0.0', 'https://two.example/a')
  const second = { addresses: Array(2).fill('https://two.example/a'), latest: '2.0.0', listed: 2 }
  expect(await ask()).toEqual({ ...second, reads: 1 })
})
