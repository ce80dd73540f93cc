/** The administrators' command on PostgreSQL: before the first start of the service, and beside it. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenPath } from '../../../test/bed/administrator.ts'
import { administratorsCommand } from '../../../test/bed/administrators-command.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { createEnvironment, runProgram } from '../../../test/bed/program.ts'
import { root } from '../../../test/bed/repository.ts'
import { createPostgresRuntime } from '../../../test/bed/service-runtimes.ts'
import { withDatabase } from '../harness/stored-data.ts'

// Up to nine commands in a test, each a process of its own.

let folder: string
let server: PostgresServer
let address: string
let service: DistributionService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-admin-'))
  server = await startPostgres()
  address = await server.createDatabase()
  const created = await admin(['add', 'alice', '--create'], 'a-password-for-alice')
  expect(created).toEqual({ status: 0, out: 'Added "alice"\n', err: '' })
  service = await startDistributionService(
    createPostgresRuntime(async () => address),
    {},
  )
})
afterAll(async () => {
  await service?.stop()
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

const admin = (args: readonly string[], input = '', database = address) =>
  runProgram([...administratorsCommand, ...args], {
    cwd: root,
    input,
    env: createEnvironment(folder, {
      DS_DATABASE: database,
      DS_SECRET: randomBytes(32).toString('base64'),
      DS_PACKAGES_DIR: join(folder, 'packages'),
    }),
  })
const grant = (form: Readonly<Record<string, string>>) =>
  service.request('POST', tokenPath, { form: { client_id: 'cardwire', ...form } })
const login = (username: string, password: string) =>
  grant({ grant_type: 'password', username, password })

test('who was added before the first start logs in, and the start adds nobody else', async () => {
  expect((await login('alice', 'a-password-for-alice')).status).toBe(200)
  expect((await admin(['list'])).out).toMatch(/^alice\tadministrator\tsince .*\n$/)
})

test('add, password and remove have their effect on a service that runs, and are in the audit', async () => {
  expect(await admin(['add', 'bob'], 'a-password-for-bob')).toMatchObject({ status: 0, err: '' })
  const { json } = await login('bob', 'a-password-for-bob')
  expect((await admin(['list'])).out).toMatch(
    /^alice\tadministrator\tsince .*\nbob\tadministrator\tsince .*\n$/,
  )

  expect((await admin(['password', 'bob'], 'another-password-for-bob')).status).toBe(0)
  const refreshed = await grant({
    grant_type: 'refresh_token',
    refresh_token: json.refresh_token,
  })
  expect(refreshed.json.error).toBe('invalid_grant')
  expect((await login('bob', 'another-password-for-bob')).status).toBe(200)

  expect((await admin(['remove', 'bob'])).status).toBe(0)
  expect((await login('bob', 'another-password-for-bob')).status).toBe(400)
  const entries = await withDatabase(service, ({ run }) =>
    run("select operation, subject from audit where id = 'bob' and subject = 'local' order by 1"),
  )
  expect(entries).toEqual([
    { operation: 'addAdministrator', subject: 'local' },
    { operation: 'changePassword', subject: 'local' },
    { operation: 'removeAdministrator', subject: 'local' },
  ])
})

test('of commands that add the same name at once one does, and the others say that it is taken', async () => {
  const added = await Promise.all(
    Array.from({ length: 3 }, () => admin(['add', 'carol'], 'a-password-for-carol')),
  )
  expect(added.map(({ status }) => status).toSorted()).toEqual([0, 1, 1])
  for (const { status, err } of added)
    expect(err).toBe(status === 0 ? '' : 'Cannot add "carol": the administrator exists already\n')
})

test.each([
  ['a name that is there', ['add', 'alice'], 'Cannot add "alice"'],
  ['an unknown administrator', ['password', 'nobody'], 'Cannot find "nobody"'],
  ['a backup', ['backup', '/nonexistent'], 'use pg_dump'],
])('%s is refused with a sentence and exit status 1', async (_, args, sentence) => {
  const { status, err } = await admin(args, 'a-long-password')
  expect([status, err]).toEqual([1, expect.stringContaining(sentence)])
  expect(err).not.toMatch(/\n\s+at /)
})

test('the last administrator stays', async () => {
  const { out } = await admin(['list'])
  const names = out.split('\n').flatMap((line) => line.split('\t').slice(0, 1))
  for (const name of names.filter((name) => name !== '' && name !== 'alice'))
    await admin(['remove', name])
  expect(await admin(['remove', 'alice'])).toMatchObject({
    status: 1,
    err: 'Cannot remove "alice": it is the last administrator\n',
  })
})

test('a database that refuses the password is named without it', async () => {
  const wrong = 'a-wrong-password-of-the-database'
  const { status, err } = await admin(['list'], '', address.replace(server.password, wrong))
  expect([status, err]).toEqual([1, expect.stringContaining('Cannot open the database')])
  expect(err).not.toContain(wrong)
})
