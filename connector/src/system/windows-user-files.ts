/**
 * Reads files of users on Windows for another account. A user can make each folder a link that leads anywhere, even to another
 * machine, which would get a sign-in of the reader (reparse points). So each name is opened in the folder before it, which stays
 * open, and as what it is itself: what was judged is what is read, and no link is followed.
 */
import { type FileCalls, getAddress, openFileCalls } from './native.ts'

export interface UserFiles {
  /** Whether there is something at the names below the folder, and none of them is a link. */
  exists(names: readonly string[]): boolean
  /** The text of a regular file of `maxBytes` at most. Throws for anything else. */
  read(names: readonly string[], maxBytes: number): string
}

// Values of winnt.h, ntifs.h and winioctl.h.
const access = { readData: 0x1, traverse: 0x20, readAttributes: 0x80, synchronize: 0x10_0000 }
const shareAll = 7
const openExisting = { file: 3, name: 1 } as const
const backupSemantics = 0x200_0000
const options = { isFolder: 0x1, synchronous: 0x20, isFile: 0x40, openLink: 0x20_0000 } as const
const caseInsensitive = 0x40
const isLinkAttribute = 0x400
const invalidHandle = 0xffff_ffff_ffff_ffffn
const getReparsePoint = 0x9_00a8
const maxReparseBytes = 16 * 1024
const mountPoint = 0xa000_0003
const diskFile = 1

/** `folder`: that of all profiles, in which only administrators make names, but each user can change what his name is. */
export function openWindowsUserFiles(
  folder: string,
  calls: FileCalls = openFileCalls(),
): UserFiles {
  const refuse = (name: string, reason: string) =>
    new Error(`Cannot open "${name}" of "${folder}": ${reason}`)

  /** A folder of an administrator. */
  function openFolder(path: string): bigint {
    const rights = access.traverse | access.readAttributes | access.synchronize
    const how = [null, openExisting.file, backupSemantics, 0n] as const
    const handle = calls.CreateFileW(toWide(path), rights, shareAll, ...how)
    if (handle === invalidHandle) throw refuse(path, 'Windows refuses')
    return handle
  }

  function openName(parent: bigint, name: string, kind: 'folder' | 'file' | 'any'): bigint {
    const handle = Buffer.alloc(8)
    const text = Buffer.from(name, 'utf16le')
    const unicode = Buffer.alloc(16)
    unicode.writeUInt16LE(text.length, 0)
    unicode.writeUInt16LE(text.length, 2)
    unicode.writeBigUInt64LE(getAddress(text), 8)
    const attributes = Buffer.alloc(48)
    attributes.writeUInt32LE(48, 0)
    attributes.writeBigUInt64LE(parent, 8)
    attributes.writeBigUInt64LE(getAddress(unicode), 16)
    attributes.writeUInt32LE(caseInsensitive, 24)
    const status = calls.NtCreateFile(
      handle,
      (kind === 'file' ? access.readData : kind === 'folder' ? access.traverse : 0) |
        access.readAttributes |
        access.synchronize,
      attributes,
      Buffer.alloc(16),
      null,
      0,
      shareAll,
      openExisting.name,
      options.openLink |
        options.synchronous |
        (kind === 'file' ? options.isFile : kind === 'folder' ? options.isFolder : 0),
      null,
      0,
    )
    if (status < 0) throw refuse(name, `Windows returned 0x${(status >>> 0).toString(16)}`)
    keepAlive(text, unicode)
    return handle.readBigUInt64LE(0)
  }

  /** What cannot be judged counts as one. */
  function isLink(handle: bigint): boolean {
    const facts = Buffer.alloc(52)
    const isRead = calls.GetFileInformationByHandle(handle, facts)
    return !isRead || (facts.readUInt32LE(0) & isLinkAttribute) !== 0
  }

  /** Where a profile is a separate disk, its handle; else throws for a link. */
  function passLink(handle: bigint, name: string, isProfile: boolean): bigint {
    if (!isLink(handle)) return handle
    const volume = isProfile ? readVolume(handle) : undefined
    calls.CloseHandle(handle)
    if (volume === undefined) throw refuse(name, 'it is a link')
    return openFolder(volume)
  }

  function readVolume(handle: bigint): string | undefined {
    const data = Buffer.alloc(maxReparseBytes)
    const size = Buffer.alloc(4)
    const how = [null, 0, data, data.length, size, null] as const
    return calls.DeviceIoControl(handle, getReparsePoint, ...how)
      ? findVolume(data.subarray(0, size.readUInt32LE(0)))
      : undefined
  }

  function withOpen<T>(
    names: readonly string[],
    last: 'file' | 'any',
    work: (handle: bigint) => T,
  ): T {
    let handle = openFolder(folder)
    try {
      for (const [at, name] of names.entries()) {
        const found = openName(handle, name, at === names.length - 1 ? last : 'folder')
        const passed = passLink(found, name, at === 0)
        calls.CloseHandle(handle)
        handle = passed
      }
      return work(handle)
    } finally {
      calls.CloseHandle(handle)
    }
  }

  return {
    exists(names) {
      try {
        return withOpen(names, 'any', () => true)
      } catch {
        return false
      }
    },
    read: (names, maxBytes) =>
      withOpen(names, 'file', (handle) => {
        const path = names.join('\\')
        if (calls.GetFileType(handle) !== diskFile) throw refuse(path, 'it is not a regular file')
        const bytes = Buffer.alloc(maxBytes + 1)
        const size = Buffer.alloc(4)
        if (!calls.ReadFile(handle, bytes, bytes.length, size, null))
          throw refuse(path, 'Windows does not read it')
        const length = size.readUInt32LE(0)
        if (length > maxBytes) throw refuse(path, `it has more than ${maxBytes} bytes`)
        return bytes.toString('utf8', 0, length)
      }),
  }
}

/**
 * The volume that a mount point (REPARSE_DATA_BUFFER of ntifs.h) leads to, `\\?\Volume{…}\`: some services give each profile a disk.
 * undefined: it leads to a folder, another machine or a device.
 */
export function findVolume(data: Buffer): string | undefined {
  if (data.length < 16 || data.readUInt32LE(0) !== mountPoint) return undefined
  const [from, length] = [16 + data.readUInt16LE(8), data.readUInt16LE(10)]
  if (from + length > data.length) return undefined
  const target = data.toString('utf16le', from, from + length)
  const [, volume] = /^\\\?\?\\(Volume\{[0-9a-f-]{36}\}\\)$/i.exec(target) ?? []
  return volume === undefined ? undefined : `\\\\?\\${volume}`
}

/** Windows reads buffers by their addresses: what is used after the call is not freed before it. */
const keepAlive = (...buffers: readonly Buffer[]): boolean =>
  buffers.every(({ length }) => length >= 0)

/** UTF-16LE, ended by a zero. */
const toWide = (text: string) => Buffer.from(`${text}\0`, 'utf16le')
