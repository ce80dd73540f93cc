/** Functions of the systems for files: renaming without replacing, and marks of files. */
import { FFIType, ptr } from 'bun:ffi'
import { win32 } from 'node:path'
import { openSystemLibrary } from '../system/libraries/system-libraries.ts'

const { bool, i32, i64, u32, u64, ptr: pointer } = FFIType

// renameat2(2); stdio.h of macOS; winbase.h.
const linuxFunctions = {
  renameat2: { args: [i32, pointer, i32, pointer, u32], returns: i32 },
} as const
const macosFunctions = { renamex_np: { args: [pointer, pointer, u32], returns: i32 } } as const
const windowsFunctions = { MoveFileExW: { args: [pointer, pointer, u32], returns: bool } } as const

/** AT_FDCWD of fcntl.h: the paths are absolute. */
const currentFolder = -100
/** RENAME_NOREPLACE of linux/fs.h, RENAME_EXCL of sys/stdio.h. */
const linuxNoReplace = 1
const macosExclusive = 4
/** MOVEFILE_WRITE_THROUGH alone: neither MOVEFILE_REPLACE_EXISTING nor MOVEFILE_COPY_ALLOWED. */
const writeThrough = 8

/** Renames a file unless something has the new name; false: it did not, for whatever reason. Paths are absolute. */
export type RenameExclusively = (from: string, to: string) => boolean

/** `platform` as Node spells it. */
export function openRenameCall(platform: string): RenameExclusively {
  if (platform === 'win32') {
    const { MoveFileExW } = openSystemLibrary('kernel32.dll', windowsFunctions)
    const utf16 = (path: string) => Buffer.from(`${path}\0`, 'utf16le')
    return withBuffers(utf16, (from, to) => MoveFileExW(from, to, writeThrough))
  }
  const utf8 = (path: string) => Buffer.from(`${path}\0`)
  if (platform === 'darwin') {
    const { renamex_np } = openSystemLibrary('libSystem.B.dylib', macosFunctions)
    return withBuffers(utf8, (from, to) => renamex_np(from, to, macosExclusive) === 0)
  }
  const { renameat2 } = openSystemLibrary('libc.so.6', linuxFunctions)
  return withBuffers(
    utf8,
    (from, to) => renameat2(currentFolder, from, currentFolder, to, linuxNoReplace) === 0,
  )
}

type SetAttribute = (descriptor: number, name: string, value: string) => boolean

/** Sets an extended attribute of an open file; false: it did not, for whatever reason. */
export function openSetAttribute(platform: string): SetAttribute {
  const text = (value: string) => Buffer.from(`${value}\0`)
  if (platform === 'darwin') {
    // fsetxattr(2) of macOS: the position is for resource forks only.
    const { fsetxattr } = openSystemLibrary('libSystem.B.dylib', {
      fsetxattr: { args: [i32, pointer, pointer, u64, u32, i32], returns: i32 },
    })
    return (descriptor, name, value) =>
      fsetxattr(descriptor, text(name), text(value), Buffer.byteLength(value), 0, 0) === 0
  }
  const { fsetxattr } = openSystemLibrary('libc.so.6', {
    fsetxattr: { args: [i32, pointer, pointer, u64, i32], returns: i32 },
  })
  return (descriptor, name, value) =>
    fsetxattr(descriptor, text(name), text(value), Buffer.byteLength(value), 0) === 0
}

// fileapi.h
const genericWrite = 0x4000_0000
const shareAll = 7
const createAlways = 2

/** Writes a stream of a file of NTFS; false: it did not, for whatever reason. `path` is absolute and names the stream. */
export function openWriteStream(): (path: string, value: string) => boolean {
  const { CreateFileW, WriteFile, CloseHandle } = openSystemLibrary('kernel32.dll', {
    CreateFileW: { args: [pointer, u32, u32, pointer, u32, u32, pointer], returns: i64 },
    WriteFile: { args: [i64, pointer, u32, pointer, pointer], returns: bool },
    CloseHandle: { args: [i64], returns: bool },
  })
  return (path, value) => {
    // This form has no limit of 260 characters.
    const name = Buffer.from(`${win32.toNamespacedPath(path)}\0`, 'utf16le')
    const handle = CreateFileW(name, genericWrite, shareAll, null, createAlways, 0, null)
    if (handle === -1n) return false
    const bytes = Buffer.from(value)
    const isWritten = WriteFile(handle, bytes, bytes.length, new Uint32Array(1), null)
    CloseHandle(handle)
    return isWritten
  }
}

type Address = ReturnType<typeof ptr>

const withBuffers =
  (encode: (path: string) => Uint8Array, call: (from: Address, to: Address) => boolean) =>
  (from: string, to: string): boolean => {
    const [source, target] = [encode(from), encode(to)]
    return call(ptr(source), ptr(target))
  }
