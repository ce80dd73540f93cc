/** Functions of the systems for files: renaming without replacing. */
import { FFIType, ptr } from 'bun:ffi'
import { openSystemLibrary } from '../system/libraries/system-libraries.ts'

const { bool, i32, u32, ptr: pointer } = FFIType

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

type Address = ReturnType<typeof ptr>

const withBuffers =
  (encode: (path: string) => Uint8Array, call: (from: Address, to: Address) => boolean) =>
  (from: string, to: string): boolean => {
    const [source, target] = [encode(from), encode(to)]
    return call(ptr(source), ptr(target))
  }
