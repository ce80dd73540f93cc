/** The context of every command: settings, folders, and how the binary starts itself again. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import {
  describeSettings,
  readSettings,
  type Settings,
  SettingsError,
  toFlag,
} from '../settings.ts'
import { type Folders, getFolders } from '../system/folders.ts'
import { getWindowsProgramFolder } from '../system/libraries/system-libraries.ts'
import { ForeignFolder, requireTrustedFolder } from '../system/restrict-folder.ts'
import {
  readAdministratorSettings,
  readInstalledSettings,
  type SettingsPlace,
} from '../system/settings-places.ts'

export interface CommandContext {
  readonly settings: Settings
  readonly folders: Folders
  readonly settingsFile: string
}

/** Adds the settings as flags to a command, and reads them before it acts. */
export type AddSettings = (
  command: Command,
  act: (
    machine: CommandContext,
    options: Record<string, unknown>,
    args: readonly string[],
  ) => Promise<void>,
  /** What the command changes; `user` by default. */
  changes?: Owner,
) => void

/** Finds the folders of this user, and the settings file. */
export function findFolders() {
  const environment = process.env
  const folders = getFolders(process.platform, environment, environment['HOME'] ?? homedir())
  return { folders, settingsFile: join(folders.config, 'cardwire.conf') }
}

type Flags = Readonly<Record<string, string | undefined>>

/** Whose settings are read. `machine`: what changes the machine follows what root has written. */
export type Owner = 'user' | 'machine'

/**
 * Throws ForeignFolder for folders of another account: an administrator who has the HOME of a user, as after sudo on macOS, would load
 * the library that the settings of the user name, and change what links of the user lead to.
 */
function requireTrustedFolders(folders: Folders): void {
  for (const folder of Object.values(folders)) {
    try {
      requireTrustedFolder(folder)
    } catch (error) {
      // What is not there, or cannot be looked at, gives nothing to read.
      if (error instanceof ForeignFolder) throw error
    }
  }
}

/**
 * The sources of the settings, the weakest first: nothing overrides what an administrator manages. Throws ForeignFolder where those of
 * the user are another account's.
 */
export function readSources(flags: Flags, owner: Owner = 'user'): readonly SettingsPlace[] {
  const { folders, settingsFile } = findFolders()
  if (owner === 'user') requireTrustedFolders(folders)
  const { machine, managed } = readAdministratorSettings()
  return [
    ...readInstalledSettings(),
    machine,
    ...(owner === 'user' ? [{ name: settingsFile, values: readFile(settingsFile) }] : []),
    { name: 'environment', values: selectVariables(owner, process.platform, process.env) },
    { name: 'flag', values: flags },
    managed,
  ]
}

/**
 * The variables that count. What Windows elevates has those of the user, and so for the machine only the folder counts, which
 * the service sets; sudo and systemd leave none of a user's.
 */
export const selectVariables = (owner: Owner, platform: string, variables: Flags): Flags =>
  owner === 'machine' && platform === 'win32'
    ? { CARDWIRE_MACHINE_DIR: variables['CARDWIRE_MACHINE_DIR'] }
    : variables

/** Throws a SettingsError when settings of an administrator cannot be read: without them this would be another connector. */
export function readCommandContext(flags: Flags, owner: Owner = 'user'): CommandContext {
  const { folders, settingsFile } = findFolders()
  const sources = readSources(flags, owner)
  requireRead(sources)
  return { settings: readSettings(sources), folders, settingsFile }
}

/** The last ones are the managed ones, of which no fault is passed over. */
export function requireRead(sources: readonly SettingsPlace[]): void {
  const unread = sources.filter(
    ({ fault, isUnread }, at) =>
      isUnread === true || (fault !== undefined && at === sources.length - 1),
  )
  if (unread.length === 0) return
  throw new SettingsError(unread.map(({ name, fault }) => `${name}: it cannot be read (${fault})`))
}

/** The file holds NAME=value lines, as systemd's EnvironmentFile does. */
function readFile(path: string): Flags {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return {}
    throw new SettingsError([`${path}: it cannot be read (${code ?? error})`])
  }
}

/** The command that starts a role of this binary; run from the sources, Bun comes before it. */
export function getSelfCommand(role: string): readonly string[] {
  return isCompiled() ? [process.execPath, role] : [process.execPath, Bun.main, role]
}

/** The folder of this program; run from the sources, that of its entry. */
export const getInstallationFolder = () => dirname(isCompiled() ? process.execPath : Bun.main)

/**
 * Whether a program in this folder belongs to a package, which then changes and removes it. Windows does not tell names apart by
 * their case.
 */
export function isPackageFolder(
  folder: string,
  platform: string = process.platform,
  programs = getWindowsProgramFolder(),
): boolean {
  if (platform === 'win32')
    return folder.toLowerCase() === win32.join(programs, 'Cardwire').toLowerCase()
  return folder === (platform === 'darwin' ? '/Library/Cardwire' : '/usr/lib/cardwire')
}

/** Whether this is a built binary. */
export const getProgramEnvironment = () => (isCompiled() ? 'PROD' : 'DEV')

/** The file of a thread; not by `import.meta.url`, which in a binary with bytecode is where this file lay at the build. */
export const getWorkerFile = (path: string) => new URL(path, pathToFileURL(Bun.main))

/** Where Bun keeps the files of a compiled binary, on POSIX and on Windows. */
const isCompiled = () => /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN)/.test(Bun.main)

/** The settings as flags of a command, with what they mean; secrets have none. */
export const listSettingFlags = () =>
  describeSettings()
    .filter(({ isSecret }) => !isSecret)
    .map(({ name, meaning, fallback }) => ({
      name,
      flag: `${toFlag(name)} <value>`,
      meaning: fallback === '' ? meaning : `${meaning} (${fallback})`,
    }))
