/** A folder whose entries cannot be read is not an empty one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ContainedFolder } from './contained-folder.ts'
import { listEntries } from './file-entries.ts'

let path: string
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'cardwire-entries-'))
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(path, name), name)
})
afterEach(() => rm(path, { recursive: true, force: true }))

const place = { entity: 'shop', type: 'invoices', segments: [] }
/** A path with a part that the system does not take, or with one that is not there. */
const list = (...lost: readonly string[]) => {
  const folder: ContainedFolder = {
    path,
    at: (name) => (lost.includes(name) ? join(path, way, name) : join(path, name)),
    check: async () => undefined,
    sync: async () => undefined,
  }
  return listEntries(folder, place)
}
let way: string

test('entries that cannot be read are left out, and fail when there are no others', async () => {
  way = '\0'
  const { files, total } = await list('a.txt')
  expect([files.map(({ name }) => name), total]).toEqual([['b.txt'], 2])
  await expect(list('a.txt', 'b.txt')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' })
})

test('entries that were removed meanwhile are left out', async () => {
  way = 'gone'
  expect(await list('a.txt', 'b.txt')).toEqual({ files: [], total: 2 })
})
