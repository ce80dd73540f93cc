/** Loads libraries of the system, and those that an administrator names: by absolute paths only. */

import { dlopen, type FFIFunction, FFIType, ptr } from 'bun:ffi'
import { isAbsolute } from 'node:path'

/** Functions of a library by their names. */
export type Functions = Record<string, FFIFunction>

/**
 * Opens a library and answers with its functions. Throws when it cannot be loaded, and for a name without a folder: Bun 1.4.5
 * takes that from the current folder when the system has none of that name, and Windows from the folder of the program first.
 */
export function openLibrary<F extends Functions>(path: string, functions: F) {
  if (!isAbsolute(path)) throw new Error(`Cannot load "${path}": expected an absolute path`)
  return dlopen(path, functions).symbols
}

/** MAX_PATH of minwindef.h, in UTF-16 units. */
const maxPath = 260

/**
 * The folder of the libraries of Windows. `SystemRoot` is not asked: each account sets that for the programs that it elevates.
 * The one name without a folder: every process has kernel32.dll already, and the loader takes that (LoadLibraryW).
 */
export function readWindowsSystemFolder(): string {
  const { GetSystemDirectoryW } = dlopen('kernel32.dll', {
    GetSystemDirectoryW: { args: [FFIType.ptr, FFIType.u32], returns: FFIType.u32 },
  }).symbols
  const path = Buffer.alloc(2 * maxPath)
  const length = GetSystemDirectoryW(ptr(path), maxPath)
  if (length === 0 || length >= maxPath) throw new Error('Cannot find the folder of Windows')
  return path.toString('utf16le', 0, 2 * length)
}

/** CSIDL_FLAG_DONT_VERIFY of shlobj_core.h: also a folder that is not there yet. */
const dontVerify = 0x4000

/** Asks Windows for folders by their numbers (CSIDL of shlobj_core.h); undefined: Windows has no folder with this number. */
export function openWindowsFolders(systemFolder: string): (id: number) => string | undefined {
  const { SHGetFolderPathW } = openLibrary(`${systemFolder}\\shell32.dll`, {
    SHGetFolderPathW: {
      args: [FFIType.u64, FFIType.i32, FFIType.u64, FFIType.u32, FFIType.ptr],
      returns: FFIType.i32,
    },
  })
  return (id) => {
    const path = Buffer.alloc(2 * maxPath)
    if (SHGetFolderPathW(0n, id | dontVerify, 0n, 0, ptr(path)) !== 0) return undefined
    const text = path.toString('utf16le')
    return text.slice(0, text.indexOf('\0'))
  }
}

/** CSIDL_COMMON_APPDATA */
const commonData = 0x23

/** CSIDL_PROGRAM_FILES */
const programFiles = 0x26

/** The folder of the programs for all users. Throws when Windows does not name it. */
export function readWindowsProgramFolder(systemFolder: string): string {
  const folder = openWindowsFolders(systemFolder)(programFiles)
  if (folder === undefined) throw new Error('Cannot find the folder for programs')
  return folder
}

/** The folder in which programs keep data for all users, as the installer and the service ask for it. Throws when Windows does not name it. */
export function readWindowsDataFolder(systemFolder: string): string {
  const folder = openWindowsFolders(systemFolder)(commonData)
  if (folder === undefined) throw new Error('Cannot find the folder for the data of all users')
  return folder
}
