/** Where the libraries and programs of the system are, whatever the environment and the current folder say. */
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import {
  type Functions,
  openLibrary,
  readWindowsDataFolder,
  readWindowsProgramFolder,
  readWindowsSystemFolder,
} from './native.ts'

/** Debian's multiarch folder first, then that of Fedora and SUSE, then Arch's; what is built on the machine comes last. */
const multiarch = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
const linuxFolders = [
  `/usr/lib/${multiarch}`,
  `/lib/${multiarch}`,
  '/usr/lib64',
  '/lib64',
  '/usr/lib',
  '/lib',
  '/usr/local/lib64',
  '/usr/local/lib',
]

let systemFolder: string | undefined

/** The folder of the programs and libraries of Windows; elsewhere the usual one, for plans that are not carried out there. */
export function getWindowsSystemFolder(): string {
  systemFolder ??=
    process.platform === 'win32' ? readWindowsSystemFolder() : 'C:\\Windows\\System32'
  return systemFolder
}

/** The folder of Windows for data of all users, whatever `ProgramData` says; on other systems what that says. */
export const getWindowsDataFolder = (
  environment: Readonly<Record<string, string | undefined>>,
): string =>
  process.platform === 'win32'
    ? readWindowsDataFolder(getWindowsSystemFolder())
    : (environment['ProgramData'] ?? 'C:\\ProgramData')

/** The folder of Windows for programs for all users, whatever `ProgramFiles` says; elsewhere the usual one. */
export const getWindowsProgramFolder = (): string =>
  process.platform === 'win32'
    ? readWindowsProgramFolder(getWindowsSystemFolder())
    : 'C:\\Program Files'

/** The absolute path of a library of this system. Throws on Linux when it is in none of the folders. */
export function findSystemLibrary(name: string): string {
  if (isAbsolute(name)) return name
  if (process.platform === 'win32') return join(getWindowsSystemFolder(), name)
  // The libraries of macOS are in a cache of the loader, and not on the disk.
  if (process.platform === 'darwin') return join('/usr/lib', name)
  const path = linuxFolders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (path === undefined)
    throw new Error(`Cannot find the library "${name}" in ${linuxFolders.join(', ')}`)
  return path
}

/** Opens a library of this system and answers with its functions. Throws when it cannot be loaded. */
export const openSystemLibrary = <F extends Functions>(name: string, functions: F) =>
  openLibrary(findSystemLibrary(name), functions)

/** A folder in which no account but an administrator puts files; a program that is started there finds nothing planted. */
export const getSafeFolder = (): string =>
  process.platform === 'win32' ? getWindowsSystemFolder() : '/'
