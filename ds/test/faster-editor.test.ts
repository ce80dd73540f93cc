/**
 * Conditions are part of the statement that changes the row: a second editor who is faster, between what the request reads and
 * what it writes, is never overwritten. The database makes that change at exactly this moment.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createFasterEditor, type FasterEditor } from './harness/faster-editor.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { resources } from './suites/revisions.suite.ts'

let folder: string
let file: FileDriver
let service: InProcess
let editor: FasterEditor

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-if-match-'))
  file = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(file)
  editor = createFasterEditor(file)
  service = await startInProcess({}, undefined, { driver: editor.driver })
})
afterAll(async () => {
  await service?.stop()
  await file?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

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
      editor.contest(collection, `update ${collection} set revision = revision + 1`)
      const answer = await service.request(method, method === 'PUT' ? list : path, {
        token,
        headers: { 'if-match': '"1"' },
        ...(body && { body }),
      })
      expect(editor.wasFaster()).toBe(true)
      expect([answer.status, answer.json.code, answer.json.revision]).toEqual([
        412,
        'revision-mismatch',
        2,
      ])
      expect(await read()).toEqual({ ...before, revision: 2 })
    },
  )
})

test.each([
  ['PUT', '/role', { role: 'viewer' }],
  ['DELETE', '', undefined],
])(
  '%s /v3/administrators/…%s leaves the last administrator, whichever request is faster',
  async (method, path, body) => {
    proves('account-takeover', 'administrator-accounts')
    const token = await service.login()
    const other = { name: `other-${method}`, role: 'administrator' }
    await service.request('POST', '/v3/administrators', { token, body: other })
    const isOther = `name = '${other.name}'`
    editor.contest(
      'administrators',
      `update administrators set role = 'viewer' where not ${isOther}`,
    )
    const target = `/v3/administrators/${other.name}${path}`
    const answer = await service.request(method, target, { token, ...(body && { body }) })
    expect(editor.wasFaster()).toBe(true)
    expect([answer.status, answer.json.code]).toEqual([409, 'administrator-last'])
    await file.run({ sql: "update administrators set role = 'administrator'", params: [] })
    await file.run({ sql: `delete from administrators where ${isOther}`, params: [] })
  },
)
