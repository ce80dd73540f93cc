/** Where the settings of this account and what starts by itself lie, also where they were moved from their usual folders. */
import { openWindowsFolders } from './libraries/native.ts'
import { getWindowsSystemFolder } from './libraries/system-libraries.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The profile (CSIDL_PROFILE of shlobj_core.h). */
const profile = 0x28

/** CSIDL_ of shlobj_core.h, by name. Folders of documents, such as the desktop, are not among them. */
const windowsFolders = {
  ...{ PROGRAMS: 0x02, STARTUP: 0x07, RECENT: 0x08, SENDTO: 0x09, STARTMENU: 0x0b },
  ...{ NETHOOD: 0x13, FONTS: 0x14, TEMPLATES: 0x15, COMMON_STARTMENU: 0x16 },
  ...{ COMMON_PROGRAMS: 0x17, COMMON_STARTUP: 0x18, APPDATA: 0x1a, PRINTHOOD: 0x1b },
  ...{ LOCAL_APPDATA: 0x1c, INTERNET_CACHE: 0x20, COOKIES: 0x21, HISTORY: 0x22 },
  ...{ COMMON_APPDATA: 0x23, WINDOWS: 0x24, SYSTEM: 0x25, PROGRAM_FILES: 0x26 },
  ...{ SYSTEMX86: 0x29, PROGRAM_FILESX86: 0x2a, PROGRAM_FILES_COMMON: 0x2b },
  ...{ PROGRAM_FILES_COMMONX86: 0x2c, COMMON_TEMPLATES: 0x2d, COMMON_ADMINTOOLS: 0x2f },
  ...{ ADMINTOOLS: 0x30 },
} as const

/** Variables by which programs find these folders. */
const variables: Readonly<Record<string, readonly string[]>> = {
  win32: ['APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ProgramFiles', 'ProgramW6432', 'SystemRoot'],
  linux: ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'],
}

export interface AccountFolders {
  /** The home folder as the system names it, whatever the environment says; undefined: the environment is the only word. */
  readonly home: string | undefined
  /** Folders in which pages must not write. */
  readonly settings: readonly string[]
}

/** Throws on Windows when it does not name the profile or a folder of settings of this account. */
export function readAccountFolders(platform: string, environment: Environment): AccountFolders {
  const named = (variables[platform] ?? []).flatMap((name) => environment[name] ?? [])
  if (platform !== 'win32') return { home: undefined, settings: named }
  const read = openWindowsFolders(getWindowsSystemFolder())
  const require = (id: number) => {
    const folder = read(id)
    if (!folder) throw new Error(`Cannot find the folder ${id} of this account`)
    return folder
  }
  const needed = [windowsFolders.APPDATA, windowsFolders.LOCAL_APPDATA].map(require)
  const others = Object.values(windowsFolders).flatMap((id) => read(id) || [])
  return { home: require(profile), settings: [...new Set([...needed, ...others, ...named])] }
}
