/** Files that pages write are marked with their origin; other systems' marks are compared with what browsers write there. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createMarkFile } from '../../src/files/mark-file.ts'
import { createTestFolders, type TestFolders } from './temp-folders.ts'

let folders: TestFolders
beforeEach(async () => {
  folders = await createTestFolders()
})
afterEach(() => folders.remove())

/** As other programs see it. */
const readMark = (name: string) => {
  const script = "import os, sys; print(os.getxattr(sys.argv[1], 'user.xdg.origin.url').decode())"
  const { stdout } = spawnSync('python3', ['-c', script, join(folders.root, name)])
  return String(stdout).trim()
}

test.runIf(process.platform === 'linux')(
  'what a page writes, copies or renames has the mark of its origin, and files of the user have none',
  async () => {
    proves('file-mark')
    const { exchange, type, root } = folders
    const other = { ...type, origin: 'https://other.example:8443' }
    const at = (fileName: string, of = type) => ({ type: of, fileName })
    writeFileSync(join(root, 'own.txt'), 'own')
    await exchange.write(at('a.pdf'), Buffer.from('a'))
    await exchange.write(at('b.pdf', other), Buffer.from('b'))
    await exchange.copy(at('own.txt'), at('copy.txt'))
    await exchange.copy(at('a.pdf'), at('second.pdf', other))
    await exchange.move(at('a.pdf'), at('renamed.pdf'))
    await exchange.move(at('own.txt'), at('moved.txt'))
    const names = ['b.pdf', 'copy.txt', 'second.pdf', 'renamed.pdf', 'moved.txt']
    expect(names.map(readMark)).toEqual([
      ...['https://other.example:8443/', 'https://shop.example/', 'https://other.example:8443/'],
      ...['https://shop.example/', ''],
    ])
    expect(folders.unmarked).toEqual([])
  },
)

test('on a disk that keeps no marks the file is written, and the folder reported', async () => {
  const unable = await createTestFolders(process.platform, undefined, () => false)
  const { exchange, type, root, unmarked } = unable
  await exchange.write({ type, fileName: 'a.pdf' }, Buffer.from('a'))
  expect(unmarked).toEqual([root])
  unable.remove()
})

test.each([
  [
    'win32',
    [
      'C:\\invoices\\a.part:Zone.Identifier',
      '[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=https://shop.example/\r\n',
    ],
  ],
  ['darwin', [7, 'com.apple.quarantine', '0081;6774857f;Cardwire;']],
  ['linux', [7, 'user.xdg.origin.url', 'https://shop.example/']],
])('the mark of %s', (platform, expected) => {
  proves('file-mark')
  const calls: unknown[][] = []
  const record = (...call: readonly unknown[]) => calls.push([...call]) > 0
  const native = { setAttribute: record, writeStream: record }
  const mark = createMarkFile(platform, native, () => Date.UTC(2024, 11, 31, 23, 59, 59, 900))
  const file = { descriptor: 7, path: 'C:\\invoices\\a.part' }
  expect(mark(file, 'https://shop.example')).toBe(true)
  expect(calls).toEqual([expected])
})
