/** The daily dump of docs/deploy.md: which of the earlier ones it removes, also after one that failed. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../../../test/bed/repository.ts'

let server: PostgresServer
let folder: string
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-dumps-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The commands of the unit, without what systemd unescapes. */
async function readCommands(): Promise<readonly string[]> {
  const document = await readFile(join(root, 'docs/deploy.md'), 'utf8')
  const [, unit = ''] = /postgresql\.conf [^\n]*\n(.*?)\nEND\n/s.exec(document) ?? []
  return [...unit.replaceAll('\\\n', '').matchAll(/^ExecStart=(.+)$/gm)].map(([, command = '']) =>
    command
      .replaceAll('$$', () => '$')
      .replaceAll('%%', '%')
      .replaceAll('/var/backups/cardwire-ds', folder),
  )
}

/** Named after the days that have passed since they were made; those with a minus come from a time when the clock was ahead. */
async function addDumps(daysAgo: readonly number[]): Promise<void> {
  for (const days of daysAgo) {
    const path = join(folder, `${days}.dump`)
    await writeFile(path, '')
    const at = Date.now() / 1000 - days * 86_400
    await utimes(path, at, at)
  }
}

/** Runs the commands for a database; resolves with the names in the folder. */
async function dump(database: string): Promise<readonly string[]> {
  const env = { ...process.env, DS_DATABASE: database }
  for (const command of await readCommands())
    await promisify(execFile)('sh', ['-euc', command], { env })
  return readdir(folder)
}
const isMadeNow = (name: string) => /^\d{8}T\d{6}Z\.dump$/.test(name)

test('a dump leaves the thirteen before it, however old, and those of a clock that was ahead', async () => {
  proves('backup-removed')
  await addDumps([...Array.from({ length: 20 }, (_, n) => 400 + n), -1, -2])
  const names = await dump(await server.createDatabase())
  expect(names.filter((name) => !isMadeNow(name)).toSorted()).toEqual(
    [...Array.from({ length: 13 }, (_, n) => `${400 + n}.dump`), '-1.dump', '-2.dump'].toSorted(),
  )
  expect(names).toHaveLength(16)
})

test('a dump that fails takes the place of none', async () => {
  proves('backup-removed')
  await addDumps(Array.from({ length: 13 }, (_, n) => 10 + n))
  await expect(dump('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow('pg_dump: error')
  expect((await readdir(folder)).filter(isMadeNow)).toEqual([])
  const names = await dump(await server.createDatabase())
  expect(names.filter((name) => !isMadeNow(name))).toHaveLength(13)
  expect(names).toHaveLength(14)
})
