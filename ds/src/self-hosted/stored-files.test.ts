/** Uploads into a folder of this machine: what is there while one comes, after it failed, and where links lead. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Packages } from '../packages/packages.ts'
import { createFilePackages } from './file-packages.ts'

let top: string
let folder: string
let packages: Packages
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'cardwire-stored-'))
  folder = join(top, 'packages')
  packages = createFilePackages(folder, 64)
  await mkdir(folder)
})
afterEach(() => rm(top, { recursive: true, force: true }))

const commit = async () => undefined
const toBody = (text: string) => new Blob([text]).stream()
const readKeys = async () => (await packages.list()).map(({ key }) => key)

test('a file is found when all of it has come and was committed, with its digest', async () => {
  const digests: string[] = []
  await packages.store({
    key: 'a.deb',
    size: 5,
    body: toBody('bytes'),
    commit: async (sha256) => {
      digests.push(sha256)
      expect([await packages.find('a.deb'), await readKeys()]).toEqual([undefined, []])
    },
  })
  expect(digests).toEqual([createHash('sha256').update('bytes').digest('hex')])
  expect(await readKeys()).toEqual(['a.deb'])
})

test('while a file comes, the one before is sent', async () => {
  proves('installer-upload-atomic')
  await writeFile(join(folder, 'a.deb'), 'before')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const stored = packages.store({ key: 'a.deb', size: 5, body: readable, commit })
  const writer = writable.getWriter()
  await writer.write(new TextEncoder().encode('aft'))
  expect((await packages.find('a.deb'))?.size).toBe(6)
  await writer.write(new TextEncoder().encode('er'))
  await writer.close()
  await stored
  expect((await packages.find('a.deb'))?.size).toBe(5)
})

test.each([
  ['its body ends with an error', new ReadableStream({ pull: (to) => to.error(new Error('cut')) })],
  ['the commit fails', toBody('bytes')],
])('nothing is stored, and nothing left behind, when %s', async (_, body) => {
  proves('upload-endless')
  await writeFile(join(folder, 'a.deb'), 'before')
  const fail = async () => {
    throw new Error('refused')
  }
  await expect(packages.store({ key: 'a.deb', size: 5, body, commit: fail })).rejects.toThrow()
  expect(await readFile(join(folder, 'a.deb'), 'utf8')).toBe('before')
  expect(await readdir(join(folder, '.uploads'))).toEqual([])
})

test('a link is replaced, and removed, but not what it leads to', async () => {
  proves('upload-traversal')
  await writeFile(join(top, 'secret'), 'keep')
  for (const key of ['a.deb', 'b.deb']) await symlink(join('..', 'secret'), join(folder, key))
  await packages.store({ key: 'a.deb', size: 5, body: toBody('bytes'), commit })
  await packages.remove('b.deb')
  expect(await readFile(join(top, 'secret'), 'utf8')).toBe('keep')
  expect(await readKeys()).toEqual(['a.deb'])
})

test('the list has no link that leads out, and nothing of an upload', async () => {
  proves('upload-traversal')
  await writeFile(join(top, 'secret'), 'keep')
  await symlink(join('..', 'secret'), join(folder, 'out'))
  await symlink('nowhere', join(folder, 'dangling'))
  await packages.store({ key: 'a.deb', size: 5, body: toBody('bytes'), commit })
  await writeFile(join(folder, '.uploads', 'half'), 'ha')
  await symlink('a.deb', join(folder, 'latest.deb'))
  expect(await readKeys()).toEqual(['a.deb', 'latest.deb'])
  expect(await packages.find('.uploads/half')).toBeUndefined()
})

test('what a service that was killed left of an upload goes with the next one, after hours', async () => {
  proves('upload-endless')
  await packages.store({ key: 'a.deb', size: 5, body: toBody('bytes'), commit })
  const [old, recent] = [join(folder, '.uploads', 'old'), join(folder, '.uploads', 'recent')]
  await writeFile(old, 'ha')
  await writeFile(recent, 'ha')
  const before = Date.now() / 1000 - 4 * 3600
  await utimes(old, before, before)
  await packages.store({ key: 'b.deb', size: 5, body: toBody('bytes'), commit })
  expect(await readdir(join(folder, '.uploads'))).toEqual(['recent'])
})
