/** A backup has secrets: it goes into a folder that no other account has made. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { backUp } from './backup.ts'

let folder: string
let database: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-backup-'))
  database = join(folder, 'ds.sqlite')
  new Sqlite(database).exec('create table labels (id text)').close()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const options = { keep: 7, now: Date.UTC(2026, 10, 29) }

test('a folder that another account has made in the place of the next backup is not filled', async () => {
  proves('backup-into-planted')
  const backups = join(folder, 'backups')
  const planted = join(backups, '.20261129T000000.000Z.partial')
  await mkdir(planted, { recursive: true })
  await chmod(planted, 0o777)
  await writeFile(join(planted, 'planted'), '')
  await expect(backUp(database, backups, options)).rejects.toThrow('EEXIST')
  expect(await readdir(backups)).toEqual(['.20261129T000000.000Z.partial'])
  expect(await readdir(planted)).toEqual(['planted'])
})

test('the folder of the backups is made where it is missing, for its owner only', async () => {
  const backups = join(folder, 'new/backups')
  await backUp(database, backups, options).catch(() => undefined)
  expect((await stat(backups)).mode & 0o777).toBe(0o700)
})
