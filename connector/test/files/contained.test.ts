/** Files of a type never lie outside of its folder, whatever a page names and whatever is there: generated paths, links, other kinds of files. */
import { existsSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Problem } from '@cardwire/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createRandom } from '../cards/hostile-card.ts'
import { createTestFolders, type TestFolders } from './temp-folders.ts'

/** What stands outside, and is never seen inside. */
const secret = 'what no page reads'

const pieces: readonly string[] = [
  '..',
  ...['.', '', 'sub', 'deep', 'out', 'within', 'outside', 'secret.txt', 'inside.txt'],
  ...['C:', 'C:\\', '/', '\\', '//server/share', 'NUL', 'con.txt', 'a:b', '~', '%2e%2e', '...'],
  ...[
    '..\u0000',
    '\uff0e\uff0e',
    '\u2025',
    '..;',
    '.. ',
    '..\\',
    'sub\u0000',
    'S\u0055B',
    'o\u0075\u0308t',
  ],
  ...['new.txt', 'e\u0301.txt', '\u00e9.txt', '.hidden', 'a'.repeat(300)],
]

type Random = ReturnType<typeof createRandom>
const repeat = <T>(count: number, make: () => T): readonly T[] =>
  Array.from({ length: count }, make)

/** A name of the list, or one to five characters of any kind. */
const createPiece = (random: Random): string =>
  random.integer(5) > 0
    ? random.pick(pieces)
    : String.fromCharCode(...repeat(1 + random.integer(5), () => random.integer(0x10000)))

const createPath = (random: Random): readonly string[] =>
  repeat(random.integer(6), () =>
    repeat(1 + random.integer(3), () => createPiece(random)).join(random.pick(['/', '\\', '/'])),
  )

const runs = 1500

/** The rules of Linux, and those of systems where no open folder stands for a path. */
describe.each(['linux', 'darwin'])('with the rules of %s', (platform) => {
  let folders: TestFolders
  beforeAll(async () => {
    folders = await createTestFolders(platform)
    const { root, outside } = folders
    writeFileSync(join(outside, 'secret.txt'), secret)
    mkdirSync(join(root, 'sub', 'deep'), { recursive: true })
    writeFileSync(join(root, 'sub', 'inside.txt'), 'inside')
    symlinkSync(outside, join(root, 'out'))
    symlinkSync(join(outside, 'secret.txt'), join(root, 'secret.txt'))
    symlinkSync(join(root, 'sub'), join(root, 'within'))
    symlinkSync('nowhere', join(root, 'dangling.txt'))
  })
  afterAll(() => folders.remove())

  /** Of a problem the sentence stays with the page, which must not learn what lies outside. */
  const attempt = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act()
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
      expect(String(error)).not.toContain(secret)
      return undefined
    }
  }
  const isInside = (found: string) => found.startsWith(folders.root + sep)

  test('whatever is listed, read or found lies in the folder', async () => {
    proves('file-path-escape')
    const { exchange, type } = folders
    const random = createRandom(1)
    let reached = 0
    for (let run = 0; run < runs; run += 1) {
      const [relPath, fileName] = [createPath(random), createPiece(random)]
      const list = await attempt(() => exchange.list({ type, relPath }))
      for (const { path: found } of list?.files ?? []) expect(isInside(found)).toBe(true)
      const entry = await attempt(() => exchange.find({ type, relPath, fileName }))
      if (entry) expect(isInside(entry.path)).toBe(true)
      if (entry || list) reached += 1
      const bytes = await attempt(() => exchange.read({ type, relPath, fileName }))
      expect(Buffer.from(bytes ?? []).toString()).not.toContain(secret)
      await attempt(() => exchange.exists({ type, relPath: [...relPath, fileName] }))
    }
    expect(reached).toBeGreaterThan(50)
  })

  test('whatever is written, copied, moved or made stays in the folder', async () => {
    proves('file-path-escape')
    const listOutside = () =>
      readdirSync(join(folders.root, '..'), { recursive: true, encoding: 'utf8' }).filter(
        (name) => !/^(?:root|runtime)/.test(name),
      )
    const before = listOutside()
    const { exchange, type } = folders
    const random = createRandom(2)
    for (let run = 0; run < runs; run += 1) {
      const [relPath, fileName] = [createPath(random), createPiece(random)]
      const file = { type, relPath, fileName }
      await attempt(() => exchange.write(file, Buffer.from('written')))
      await attempt(() => exchange.createFolder({ type, relPath }, true))
      const inside = { type, relPath: ['sub'], fileName: 'inside.txt' }
      await attempt(() => exchange.copy(inside, file))
      await attempt(() => exchange.move(file, { ...inside, fileName: 'moved.txt' }))
    }
    expect(listOutside()).toEqual(before)
    expect(await readFile(join(folders.outside, 'secret.txt'), 'utf8')).toBe(secret)
  })

  test('links are neither listed nor followed, also those that stay inside', async () => {
    proves('file-path-escape')
    const { exchange, type } = folders
    const names = (await exchange.list({ type })).files.map(({ name }) => name)
    for (const link of ['out', 'secret.txt', 'within', 'dangling.txt']) {
      expect(names).not.toContain(link)
      for (const act of [
        () => exchange.find({ type, fileName: link }),
        () => exchange.read({ type, fileName: link }),
        () => exchange.list({ type, relPath: [link] }),
        () => exchange.move({ type, fileName: link }, { type, fileName: 'x.txt' }),
      ]) {
        await expect(act()).rejects.toMatchObject({ name: 'file-path-refused' })
      }
      const write = exchange.write({ type, fileName: link }, Buffer.from('x'))
      const name = link.endsWith('.txt') ? 'file-taken' : 'file-path-refused'
      await expect(write).rejects.toMatchObject({ name })
    }
    expect(existsSync(join(folders.root, 'nowhere'))).toBe(false)
  })

  test('a second name of a file outside is not written through', async () => {
    const { exchange, type, outside, root } = folders
    linkSync(join(outside, 'secret.txt'), join(root, 'second.txt'))
    const write = exchange.write({ type, fileName: 'second.txt' }, Buffer.from('x'))
    await expect(write).rejects.toMatchObject({ name: 'file-taken' })
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe(secret)
  })

  test('32 levels are reached, and no more', async () => {
    proves('file-limits')
    const { exchange, type } = folders
    const levels = Array.from({ length: 32 }, (_, at) => `l${at}`)
    const made = await exchange.createFolder({ type, relPath: levels }, true)
    expect(made.relPath).toHaveLength(31)
    await exchange.write({ type, relPath: levels, fileName: 'deep.txt' }, Buffer.from('deep'))
    expect(await exchange.exists({ type, relPath: levels })).toBe(true)
    const deeper = exchange.createFolder({ type, relPath: [...levels, 'l32'] }, true)
    await expect(deeper).rejects.toMatchObject({ name: 'file-path-refused' })
  })
})
