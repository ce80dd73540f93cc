/** The daily dump of docs/deploy.md: which of the earlier ones it removes. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/bed/postgres.ts'
import { proves } from '../../../test/bed/proves.ts'
import { root } from '../../../test/bed/repository.ts'

let server: PostgresServer
let folder: string
beforeAll(async () => {
  server = await startPostgres()
  folder = await mkdtemp(join(tmpdir(), 'cardwire-dumps-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

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

test('a dump leaves the thirteen before it, however old, and those of a clock that was ahead', async () => {
  proves('backup-removed')
  await addDumps([...Array.from({ length: 20 }, (_, n) => 400 + n), -1, -2])
  const env = { ...process.env, DS_DATABASE: await server.createDatabase() }
  for (const command of await readCommands())
    await promisify(execFile)('sh', ['-euc', command], { env })
  const names = await readdir(folder)
  expect(names.filter((name) => !/^\d{8}T\d{6}Z\.dump$/.test(name)).toSorted()).toEqual(
    [...Array.from({ length: 13 }, (_, n) => `${400 + n}.dump`), '-1.dump', '-2.dump'].toSorted(),
  )
  expect(names).toHaveLength(16)
})
