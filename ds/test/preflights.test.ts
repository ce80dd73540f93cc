/** What a request of a page costs before it is allowed: anybody can send one. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let folder: string
let driver: FileDriver
let ds: InProcess
let queries: string[] = []
/** The database answers when it is over, as one on a network does. */
let delay: Promise<void> | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-preflights-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  const { run, batch } = driver
  const watched: typeof run = async (statement) => {
    queries.push(statement.sql)
    await delay
    return run(statement)
  }
  ds = await startInProcess({}, undefined, { driver: { run: watched, batch } })
})
afterAll(async () => {
  await ds.stop()
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

const sendPreflight = async (origin: string): Promise<number> => {
  const headers = { origin, 'access-control-request-method': 'GET' }
  return (await ds.request('OPTIONS', '/v3/versions/latest', { headers })).status
}

/** The statements that read allowlists. */
const countReads = () => queries.filter((sql) => sql.includes('"configurations"')).length

async function preflight(origin: string) {
  queries = []
  return { status: await sendPreflight(origin), reads: countReads() }
}

const putAllowlist = async (cors: readonly string[], at: { id?: string; versionId: string }) =>
  getData(
    await ds.request('PUT', '/v3/configurations', {
      token: await ds.login(),
      body: { type: 'CONTEXT_CONFIG', ...at, config: { cors } },
    }),
  )

test('preflights read the allowlists once after a change, whatever their origins', async () => {
  proves('preflights-read-allowlists')
  const { id: versionId } = await createVersion(ds, await ds.login())
  const { id } = await putAllowlist(['https://shop.example', 'https://*.bank.example'], {
    versionId,
  })
  expect(await preflight('https://shop.example')).toEqual({ status: 204, reads: 1 })
  expect(await preflight('https://www.bank.example')).toEqual({ status: 204, reads: 0 })
  for (const origin of ['https://other.example', 'https://bank.example', 'https://a.shop.example'])
    expect(await preflight(origin)).toEqual({ status: 405, reads: 0 })

  await putAllowlist(['https://other.example'], { id, versionId })
  expect(await preflight('https://shop.example')).toEqual({ status: 405, reads: 1 })
  expect(await preflight('https://other.example')).toEqual({ status: 204, reads: 0 })
})

test('a sign-in is no change of an allowlist: preflights read none after it', async () => {
  proves('preflights-read-allowlists')
  await preflight('https://other.example')
  await ds.login()
  expect(await preflight('https://other.example')).toEqual({ status: 204, reads: 0 })
})

test('a hundred preflights after a change read the allowlists once', async () => {
  proves('preflights-read-allowlists')
  const { id: versionId } = await createVersion(ds, await ds.login())
  await putAllowlist(['https://late.example'], { versionId })
  const origins = Array.from({ length: 100 }, (_, n) => `https://${n}.example`)
  const held = Promise.withResolvers<void>()
  delay = held.promise
  queries = []
  const statuses = Promise.all(
    [...origins, 'https://late.example'].map((origin) => sendPreflight(origin)),
  )
  setImmediate(held.resolve)
  expect((await statuses).at(-1)).toBe(204)
  delay = undefined
  expect(countReads()).toBe(1)
})
