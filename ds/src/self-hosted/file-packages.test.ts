/** Packages in a folder of this machine: real files, links and pipes. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Package } from '../packages/packages.ts'
import { createFilePackages } from './file-packages.ts'

/** More than two of the parts that a file is read in. */
const large = Uint8Array.from({ length: 1_300_000 }, (_, at) => (at * 31 + (at >> 8)) % 251)
const small = 'the installer'

let top: string
let folder: string
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'cardwire-files-')))
  folder = join(top, 'packages')
  await mkdir(join(folder, 'win'), { recursive: true })
  await mkdir(join(top, 'packages-of-others'))
  await writeFile(join(top, 'secret'), 'keep out')
  await writeFile(join(top, 'packages-of-others', 'setup.msi'), 'keep out')
  await writeFile(join(folder, 'win', 'setup.msi'), small)
  await writeFile(join(folder, 'größe 1.pkg'), small)
  await writeFile(join(folder, 'large'), large)
  await writeFile(join(folder, 'empty'), '')
  await symlink(join('win', 'setup.msi'), join(folder, 'latest.msi'))
  await symlink('win', join(folder, 'windows'))
  await symlink(join('..', 'secret'), join(folder, 'out'))
  await symlink(join(top, 'secret'), join(folder, 'out-absolute'))
  await symlink('..', join(folder, 'up'))
  await symlink(join('..', 'packages-of-others'), join(folder, 'others'))
  await symlink('nowhere', join(folder, 'dangling'))
  await symlink('circle', join(folder, 'circle'))
  await symlink('packages', join(top, 'link-to-packages'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
})
afterAll(() => rm(top, { recursive: true, force: true }))

test.each([
  ['a link out of the folder', (path: string) => symlink(join(top, 'secret'), path)],
  ['another file', (path: string) => writeFile(path, 'other')],
  ['a pipe', async (path: string) => execFileSync('mkfifo', [path])],
  ['a folder', (path: string) => mkdir(path)],
] as const)('a file that was found is not read when %s has come in its place', async (_, place) => {
  proves('download-traversal')
  const path = join(folder, 'swapped')
  await writeFile(path, small)
  const found = await createFilePackages(folder, 64).find('swapped')
  // Its number must not be free for the other one.
  await rename(path, join(top, 'before'))
  await place(path)
  await expect(found?.read(0, small.length - 1)).rejects.toThrow()
  await rm(path, { recursive: true })
})

test('a file behind a folder that became a link out is not read', async () => {
  proves('download-traversal')
  await mkdir(join(folder, 'deep'))
  await writeFile(join(folder, 'deep', 'setup.msi'), small)
  const found = await createFilePackages(folder, 64).find('deep/setup.msi')
  await rename(join(folder, 'deep'), join(top, 'deep'))
  await symlink(join(top, 'packages-of-others'), join(folder, 'deep'))
  await expect(found?.read(0, small.length - 1)).rejects.toMatchObject({
    name: 'packages-unavailable',
  })
  await rm(join(folder, 'deep'))
})

describe('find', () => {
  test.each([
    ['a file in a folder', 'win/setup.msi'],
    ['a file with a space and an umlaut', 'größe 1.pkg'],
    ['a link to a file inside', 'latest.msi'],
    ['a file behind a link to a folder inside', 'windows/setup.msi'],
  ])('takes %s', async (_, key) => {
    expect((await createFilePackages(folder, 64).find(key))?.size).toBe(small.length)
  })

  test.each([
    ['a key that goes up', '../secret'],
    ['a key that goes up and comes back to a neighbour', '../packages-of-others/setup.msi'],
    ['a link out of the folder', 'out'],
    ['an absolute link out of the folder', 'out-absolute'],
    ['a file behind a link that goes up', 'up/secret'],
    ['a file in a neighbour whose name begins alike', 'others/setup.msi'],
    ['a link to nothing', 'dangling'],
    ['a link to itself', 'circle'],
    ['a folder', 'win'],
    ['a link to a folder', 'windows'],
    ['the folder itself', ''],
    ['a pipe', 'pipe'],
    ['a file that is not there', 'win/other.msi'],
    ['a file in a folder that is not there', 'mac/setup.pkg'],
    ['a file below a file', 'win/setup.msi/more'],
    ['a name too long for the system', 'x'.repeat(5000)],
  ])('refuses %s', async (_, key) => {
    proves('file-urls-stay-in-folder', 'download-traversal')
    expect(await createFilePackages(folder, 64).find(key)).toBeUndefined()
  })

  test('finds files of a folder that is itself a link', async () => {
    const packages = createFilePackages(join(top, 'link-to-packages'), 64)

    expect((await packages.find('win/setup.msi'))?.size).toBe(small.length)
    expect(await packages.find('out')).toBeUndefined()
  })

  test('finds nothing in a missing folder', async () => {
    expect(await createFilePackages(join(top, 'missing'), 64).find('win/setup.msi')).toBeUndefined()
  })
})

describe('read', () => {
  test.each([
    ['the whole', 0, large.length - 1],
    ['the first byte', 0, 0],
    ['the last byte', large.length - 1, large.length - 1],
    ['exactly one part', 0, 512 * 1024 - 1],
    ['one byte more than a part', 0, 512 * 1024],
    ['bytes over the border of two parts', 512 * 1024 - 5, 512 * 1024 + 5],
    ['from the middle to the end', 700_001, large.length - 1],
  ])('gives %s, both ends included', async (_, start, end) => {
    const file = await found('large')

    const bytes = await bytesOf(file, start, end)

    expect(bytes.length).toBe(end + 1 - start)
    expect(bytes.equals(large.subarray(start, end + 1))).toBe(true)
  })

  test('fails when the file becomes shorter during the read, and closes the file', async () => {
    const path = join(folder, 'shrinking')
    await writeFile(path, large)
    const file = await found('shrinking')
    const reader = (await file.read(0, file.size - 1)).getReader()
    await reader.read()
    await truncate(path, 10)
    const rest = async () => {
      for (let part = await reader.read(); !part.done; ) part = await reader.read()
    }

    await expect(rest()).rejects.toThrow('it became shorter')
    expect(await openFiles()).toEqual([])
  })

  test('closes the file when the stream is cancelled', async () => {
    const file = await found('large')
    const reader = (await file.read(0, file.size - 1)).getReader()
    await reader.read()
    await reader.cancel()

    expect(await openFiles()).toEqual([])
  })

  test('fails when the file was replaced by a link', async () => {
    proves('download-traversal')
    const path = join(folder, 'replaced')
    await writeFile(path, small)
    const file = await found('replaced')
    await rm(path)
    await symlink(join('..', 'secret'), path)

    await expect(file.read(0, 1)).rejects.toThrow('ELOOP')
  })
})

test.each(['large', 'win/setup.msi', 'empty'])('digest of "%s" is its SHA-256', async (key) => {
  const file = await found(key)
  const content = file.size > 0 ? await bytesOf(file, 0, file.size - 1) : ''

  expect(await file.digest()).toBe(createHash('sha256').update(content).digest('hex'))
})

describe('etag', () => {
  const path = () => join(folder, 'tagged')
  const tag = async (content: string, modified: number) => {
    await writeFile(path(), content)
    await utimes(path(), modified, modified)
    return (await found('tagged')).etag
  }

  test('is strong and quoted', async () => {
    expect(await tag('one', 1000)).toMatch(/^"[\x21\x23-\x7e]+"$/)
  })

  test('stays the same while the file is unchanged', async () => {
    await tag('one', 1000)

    expect((await found('tagged')).etag).toBe((await found('tagged')).etag)
  })

  test.each([
    { change: 'other content of the same size', content: 'two', modified: 1001 },
    { change: 'other content of another size in the same moment', content: 'four', modified: 1000 },
  ])('changes with $change', async ({ content, modified }) => {
    const before = await tag('one', 1000)

    expect(await tag(content, modified)).not.toBe(before)
  })

  test('is the same through a link', async () => {
    expect((await found('latest.msi')).etag).toBe((await found('win/setup.msi')).etag)
  })
})

test('downloads of one address at once are limited, and each that ends makes room for another', async () => {
  proves('downloads-unread')
  const file = await createFilePackages(folder, 2).find('win/setup.msi')
  const download = (client: string) => file?.read(0, 0, client)
  const [first] = [await download('192.0.2.1'), await download('192.0.2.1')]
  await expect(download('192.0.2.1')).rejects.toMatchObject({
    name: 'too-many-requests',
    extras: { retryAfterS: 30 },
  })
  const others = [await download('192.0.2.2'), await file?.read(0, 0)]
  await first?.cancel()
  expect(await new Response(await download('192.0.2.1')).bytes()).toHaveLength(1)
  for (const stream of others) await stream?.cancel()
})

async function found(key: string): Promise<Package> {
  const file = await createFilePackages(folder, 64).find(key)
  if (!file) throw new Error(`Cannot find "${key}" in the packages of the test`)
  return file
}

async function bytesOf(file: Package, start: number, end: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of await file.read(start, end)) parts.push(part)
  return Buffer.concat(parts)
}

/** The files of the test that this process holds open, as far as the system tells. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(top))
}
