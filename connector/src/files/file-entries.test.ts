/** A folder whose entries cannot be read is not an empty one. */
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
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

test('of a folder with very many entries 50,000 are listed, and others have their turns meanwhile', async () => {
  proves('files-flood')
  for (let made = 0; made < 50_100; made += 1) mkdirSync(join(path, `folder-${made}`))
  let inTurn = 0
  let most = 0
  // Called once for each name that is looked at.
  const { normalize } = String.prototype
  const spy = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (
    this: string,
    form,
  ) {
    inTurn += 1
    most = Math.max(most, inTurn)
    return normalize.call(this, form)
  })
  let turn = setImmediate(function next() {
    inTurn = 0
    turn = setImmediate(next)
  })
  onTestFinished(() => {
    spy.mockRestore()
    clearImmediate(turn)
  })
  const folder = { path, at: (name: string) => join(path, name), check: async () => undefined }
  const page = { start: 0, size: 1, sort: 'ASC' } as const
  const { files, total } = await listEntries({ ...folder, sync: folder.check }, place, page)
  expect([files.length, total, most]).toEqual([1, 50_000, 1000])
}, 30_000)
