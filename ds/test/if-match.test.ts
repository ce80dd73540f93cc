/**
 * If-Match is a condition of the statement that changes the row: a second editor who is faster, between what the request reads and
 * what it writes, is never overwritten. The database makes that change at exactly this moment.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { Driver, Statement } from '../src/db/database.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { resources } from './suites/revisions.suite.ts'

let folder: string
let file: FileDriver
let service: InProcess
/** The table in which the next write finds that another editor has been faster. */
let contested: string | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-if-match-'))
  file = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(file)
  service = await startInProcess({}, undefined, { driver: withFasterEditor(file) })
})
afterAll(async () => {
  await service?.stop()
  await file?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Before the first write to the contested table, another editor's change of every row there is stored. */
function withFasterEditor(driver: Driver): Driver {
  const beFaster = async (statements: readonly Statement[]) => {
    const table = contested
    const changes = new RegExp(`(?:insert into|update|delete from) "${table}"`)
    if (table === undefined || !statements.some(({ sql }) => changes.test(sql))) return
    contested = undefined
    await driver.run({ sql: `update ${table} set revision = revision + 1`, params: [] })
  }
  return {
    ...driver,
    async run(statement) {
      await beFaster([statement])
      return driver.run(statement)
    },
    async batch(statements) {
      await beFaster(statements)
      return driver.batch(statements)
    },
  }
}

describe.each(resources)('$collection', ({ collection, create, toBody, toPatch }) => {
  test.each(['PUT', 'PATCH', 'DELETE'])(
    '%s with If-Match is refused when another editor is faster, and changes nothing',
    async (method) => {
      proves('if-match', 'one-editor-wins', 'edit-overwritten')
      const token = await service.login()
      const data = await create(service, token)
      const [list, path] = [`/v3/${collection}`, `/v3/${collection}/${data.id}`]
      const bodies = { PUT: toBody(data, 'mine'), PATCH: toPatch('mine'), DELETE: undefined }
      const body = bodies[method as keyof typeof bodies]
      const read = async () => (await service.request('GET', path, { token })).json.data
      const before = await read()
      contested = collection
      const answer = await service.request(method, method === 'PUT' ? list : path, {
        token,
        headers: { 'if-match': '"1"' },
        ...(body && { body }),
      })
      expect(contested).toBeUndefined()
      expect([answer.status, answer.json.code, answer.json.revision]).toEqual([
        412,
        'revision-mismatch',
        2,
      ])
      expect(await read()).toEqual({ ...before, revision: 2 })
    },
  )
})
