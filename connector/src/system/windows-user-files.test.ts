/** Files of users on Windows: which links are passed; `connector/test/wine/user-files.test.ts` reads real ones. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { FileCalls } from './native.ts'
import { findVolume, openWindowsUserFiles } from './windows-user-files.ts'

const volume = '\\??\\Volume{0a1b2c3d-0000-1111-2222-333344445555}\\'

/** The data of a reparse point. */
function createReparse(target: string, tag = 0xa000_0003): Buffer {
  const path = Buffer.from(target, 'utf16le')
  const data = Buffer.alloc(16 + path.length + 4)
  data.writeUInt32LE(tag, 0)
  data.writeUInt16LE(path.length, 10)
  path.copy(data, 16)
  return data
}

test.each([
  ['a volume', createReparse(volume), `\\\\?\\${volume.slice(4)}`],
  ['a folder of a volume', createReparse(`${volume}Users`), undefined],
  ['another folder', createReparse('\\??\\C:\\Windows'), undefined],
  ['another machine', createReparse('\\??\\UNC\\evil\\share'), undefined],
  ['objects', createReparse('\\RPC Control\\'), undefined],
  ['a symbolic link to a volume', createReparse(volume, 0xa000_000c), undefined],
  ['data that ends early', createReparse(volume).subarray(0, 40), undefined],
  ['no data', Buffer.alloc(0), undefined],
])('a mount point that leads to %s', (_, data, expected) => {
  proves('windows-root-planted')
  expect(findVolume(data)).toBe(expected)
})

/** Windows whose names are links or not: `links` by their depth, 1 being the profile. */
function createWindows(links: Readonly<Record<number, Buffer>>) {
  const opened: string[] = []
  const closed: bigint[] = []
  let next = 0n
  const depths = new Map<bigint, number>()
  const add = (depth: number) => {
    next += 1n
    depths.set(next, depth)
    return next
  }
  const depthOf = (handle: bigint) => depths.get(handle) ?? -1
  const calls = {
    CreateFileW(path: Buffer) {
      const name = path.toString('utf16le').replace('\0', '')
      opened.push(name)
      return add(name === 'C:\\Users' ? 0 : 100)
    },
    NtCreateFile(handle: Buffer, _access: number, attributes: Buffer) {
      const depth = depthOf(attributes.readBigUInt64LE(8))
      handle.writeBigUInt64LE(add(depth === 100 ? 2 : depth + 1), 0)
      return 0
    },
    GetFileInformationByHandle(handle: bigint, facts: Buffer) {
      facts.writeUInt32LE(links[depthOf(handle)] ? 0x410 : 0x10, 0)
      return true
    },
    DeviceIoControl(handle: bigint, ...rest: unknown[]) {
      const [, , , data, , size] = rest as [0, 0, 0, Buffer, 0, Buffer]
      const found = links[depthOf(handle)] ?? Buffer.alloc(0)
      found.copy(data)
      size.writeUInt32LE(found.length, 0)
      return true
    },
    GetFileType: () => 1,
    ReadFile(_handle: bigint, bytes: Buffer, _length: number, size: Buffer) {
      size.writeUInt32LE(bytes.write('pem'), 0)
      return true
    },
    CloseHandle: (handle: bigint) => closed.push(handle) > 0,
  } as unknown as FileCalls
  const files = openWindowsUserFiles('C:\\Users', calls)
  return { files, opened, isAllClosed: () => closed.length === Number(next) }
}

const path = ['ada', 'AppData', 'Local', 'rootCA.pem']
const toFolder = createReparse('\\??\\C:\\Windows')

test.each([
  ['no link', {}, true],
  ['a profile on a separate disk', { 1: createReparse(volume) }, true],
  ['a profile that leads to a folder', { 1: toFolder }, false],
  ['a folder that leads to a volume', { 2: createReparse(volume) }, false],
  ['a folder that leads elsewhere', { 3: toFolder }, false],
  ['a file that leads elsewhere', { 4: toFolder }, false],
])('with %s', (_, links, isRead) => {
  proves('windows-root-planted')
  const { files, opened, isAllClosed } = createWindows(links)
  expect(files.exists(path)).toBe(isRead)
  if (isRead) expect(files.read(path, 10)).toBe('pem')
  else expect(() => files.read(path, 10)).toThrow('it is a link')
  expect(opened.every((one) => one === 'C:\\Users' || one === `\\\\?\\${volume.slice(4)}`)).toBe(
    true,
  )
  expect(isAllClosed()).toBe(true)
})

test('a file that is larger is not read', () => {
  expect(() => createWindows({}).files.read(path, 2)).toThrow('more than 2 bytes')
})
