/** What every command begins with: settings, folders, log, and how the binary starts itself again. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Command } from 'commander'
import {
  describeSettings,
  flagOf,
  readSettings,
  type Settings,
  SettingsError,
} from '../settings.ts'
import { type Folders, foldersOf } from '../system/folders.ts'

export interface Machine {
  readonly settings: Settings
  readonly folders: Folders
  readonly settingsFile: string
}

/** Makes a command one that reads the settings, from flags too, before it acts. */
export type WithSettings = (
  command: Command,
  act: (
    machine: Machine,
    options: Record<string, unknown>,
    args: readonly string[],
  ) => Promise<void>,
) => void

/** Where this user's files lie, and the settings among them. */
export function foldersAndFile() {
  const environment = process.env
  const folders = foldersOf(process.platform, environment, environment['HOME'] ?? homedir())
  return { folders, settingsFile: join(folders.config, 'cardwire.conf') }
}

/** Flags win over the environment, and that over the file. */
export function readMachine(flags: Readonly<Record<string, string | undefined>>): Machine {
  const { folders, settingsFile } = foldersAndFile()
  const settings = readSettings([
    { name: settingsFile, values: readFile(settingsFile) },
    { name: 'environment', values: process.env },
    { name: 'flag', values: flags },
  ])
  return { settings, folders, settingsFile }
}

/** The file holds NAME=value lines, as systemd's EnvironmentFile does. */
function readFile(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return {}
    throw new SettingsError([`${path}: it cannot be read (${code ?? error})`])
  }
}

/** The command that starts a role of this binary; run from the sources, Bun comes before it. */
export function selfCommand(role: string): readonly string[] {
  return isCompiled() ? [process.execPath, role] : [process.execPath, Bun.main, role]
}

/** What this program was installed in; run from the sources, the folder of its entry. */
export const installationFolder = () => dirname(isCompiled() ? process.execPath : Bun.main)

/** Where Bun keeps the files of a compiled binary, on POSIX and on Windows. */
const isCompiled = () => /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN)/.test(Bun.main)

/** The settings as flags of a command, with what they mean. */
export const settingFlags = () =>
  describeSettings().map(({ name, meaning, fallback }) => ({
    name,
    flag: `${flagOf(name)} <value>`,
    meaning: fallback === '' ? meaning : `${meaning} (${fallback})`,
  }))
