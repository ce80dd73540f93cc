/** Which list of known cards is used. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atrListPaths, loadAtrList } from './atr-source.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-atr-source-'))
})
afterAll(() => rm(folder, { recursive: true }))

let made = 0

/** Lists with these texts and years, as the paths they lie at. */
async function lists(...files: readonly (readonly [text: string, year: number])[]) {
  made += 1
  const paths = files.map((_, at) => join(folder, `${made}`, `${at}`, 'smartcard_list.txt'))
  for (const [at, [text, year]] of files.entries()) {
    const path = paths[at] ?? ''
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    await utimes(path, new Date(year, 0), new Date(year, 0))
  }
  return paths
}

describe('loadAtrList', () => {
  test('takes the first where none is newer', async () => {
    const paths = await lists(['3B 00\n\tOurs', 2023], ["3B 00\n\tThe system's", 2023])

    expect((await loadAtrList(paths)).list.describe('3B00')).toEqual(['Ours'])
  })

  test('takes a later one where it is newer', async () => {
    const paths = await lists(['3B 00\n\tOurs', 2023], ["3B 00\n\tThe system's", 2024])

    expect(await loadAtrList(paths)).toMatchObject({ path: paths[1] })
  })

  test('passes over one that holds nothing, however new', async () => {
    const paths = await lists(['3B 00\n\tOurs', 2023], ['<html>Not found</html>', 2026])

    expect(await loadAtrList(paths)).toMatchObject({ path: paths[0] })
  })

  test('passes over a folder of that name', async () => {
    const [ours = ''] = await lists(['3B 00\n\tOurs', 2023])

    expect(await loadAtrList([dirname(ours), ours])).toMatchObject({ path: ours })
  })

  test('knows no card where there is no list', async () => {
    const { list, path } = await loadAtrList([join(folder, 'absent')])

    expect([list.size, list.describe('3B00'), path]).toEqual([0, [], undefined])
  })
})

describe('atrListPaths', () => {
  test.each([
    [{}, '/home/ada/.cache'],
    [{ XDG_CACHE_HOME: '/var/cache/ada' }, '/var/cache/ada'],
    [{ XDG_CACHE_HOME: 'relative' }, '/home/ada/.cache'],
  ])('begins beside the binary and in the cache, with %j in %s', (environment, cache) => {
    const paths = atrListPaths({ binaryFolder: '/opt/cardwire', home: '/home/ada', environment })

    expect(paths.slice(0, 2)).toEqual([
      '/opt/cardwire/smartcard_list.txt',
      `${cache}/smartcard_list.txt`,
    ])
  })
})
