/**
 * The settings of the machine, and those that are managed: what an administrator says for everybody, the second so that nobody
 * overrides it. Files on Linux, the registry of Windows, property lists on macOS.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { errorText } from './error-text.ts'
import { readMachineKey } from './windows-registry.ts'

export interface SettingsPlace {
  /** As a user finds it. */
  readonly name: string
  readonly values: Readonly<Record<string, string | undefined>>
  /** Why its values are not known; its own user or an administrator can mend it. */
  readonly fault?: string
  /** Whether the system failed to read it, unlike a file that is not for this account: what it says may count. */
  readonly isUnread?: boolean
}

export interface AdministratorSettings {
  readonly machine: SettingsPlace
  readonly managed: SettingsPlace
}

/** How the system is asked; tests bring their own. */
export interface SystemCalls {
  /** The values of a key below HKEY_LOCAL_MACHINE; empty where there is none. Throws when it cannot be read. */
  readonly readMachineKey: (path: string) => Readonly<Record<string, string>>
  /** A property list as JSON; undefined where there is none. Throws when it cannot be read. */
  readonly readPropertyList: (path: string) => string | undefined
}

/** How long the system may take for an answer, in milliseconds. */
const timeoutMs = 5000

const ownSystem: SystemCalls = {
  readMachineKey: (path) => readMachineKey(path),
  readPropertyList(path) {
    if (!existsSync(path)) return undefined
    const args = ['-convert', 'json', '-o', '-', path]
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    return execFileSync('/usr/bin/plutil', args, {
      encoding: 'utf8',
      stdio: [...stdio],
      timeout: timeoutMs,
    })
  },
}

/** Blocks: commands read their settings before they do anything else. */
export function readAdministratorSettings(
  platform: string = process.platform,
  folder = '/etc/cardwire',
  system: SystemCalls = ownSystem,
): AdministratorSettings {
  if (platform === 'win32') {
    const read = (path: string) => readPlace(`HKLM\\${path}`, () => system.readMachineKey(path))
    return {
      machine: read('SOFTWARE\\Cardwire'),
      managed: read('SOFTWARE\\Policies\\Cardwire'),
    }
  }
  if (platform === 'darwin') {
    const read = (path: string) => readPlace(path, () => readValues(system.readPropertyList(path)))
    return {
      machine: read('/Library/Preferences/cardwire.plist'),
      managed: read('/Library/Managed Preferences/cardwire.plist'),
    }
  }
  return {
    machine: readRootFile(`${folder}/cardwire.conf`),
    managed: readRootFile(`${folder}/managed.conf`),
  }
}

/** What a service wrote into the package that was installed (docs/decisions/0070); where a package keeps it. */
export function readInstalledSettings(
  platform: string = process.platform,
  folder = '/etc/cardwire',
  { readMachineKey }: Pick<SystemCalls, 'readMachineKey'> = ownSystem,
): readonly SettingsPlace[] {
  if (platform === 'linux') return [readRootFile(`${folder}/installed.conf`)]
  if (platform !== 'win32') return []
  return [readPlace(`HKLM\\${installedKey}`, () => readMachineKey(installedKey))]
}

/** Below the settings of the machine, which win over it: everybody reads it, and administrators alone write. */
export const installedKey = 'SOFTWARE\\Cardwire\\Installed'

/** A file of NAME=value lines, as systemd's EnvironmentFile has them. */
function readRootFile(name: string): SettingsPlace {
  try {
    return { name, values: parseEnv(readTextOfRoot(name)) }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { name, values: {} }
    if (codeOf(error) === 'EACCES') return { name, values: {}, fault: 'this user cannot read it' }
    const isUnread = codeOf(error) !== undefined
    return { name, values: {}, fault: errorText(error), ...(isUnread && { isUnread }) }
  }
}

/** Of root alone, so that no account writes settings for the others. */
function readTextOfRoot(path: string): string {
  // A FIFO would wait for somebody who writes.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { uid, mode } = fstatSync(file)
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new Error('it is not a regular file')
    if (uid !== 0 || (mode & 0o022) !== 0) {
      throw new Error(
        `users other than root can write it; run: chown root ${path} && chmod 0644 ${path}`,
      )
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** What cannot be read is a fault, and not a place without settings. */
function readPlace(name: string, read: () => SettingsPlace['values']): SettingsPlace {
  try {
    return { name, values: read() }
  } catch (error) {
    return { name, values: {}, fault: errorText(error), isUnread: true }
  }
}

const readValues = (json = '{}'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as object).map(([key, value]) => [key, String(value)]),
  )

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
