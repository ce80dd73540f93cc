/**
 * The settings of the machine, and those that are managed: what an administrator says for everybody, the second so that nobody
 * overrides it. Files on Linux, the registry of Windows, property lists on macOS.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { errorText } from './error-text.ts'

export interface SettingsPlace {
  /** As a person finds it. */
  readonly name: string
  readonly values: Readonly<Record<string, string | undefined>>
  /** Why its values are not known; its own person or an administrator can mend it. */
  readonly fault?: string
}

export interface AdministratorSettings {
  readonly machine: SettingsPlace
  readonly managed: SettingsPlace
}

/** Runs a program to its end and returns its output. Throws when it fails. */
export type ReadOutput = (program: string, args: readonly string[]) => string

/** How long the system may take for an answer, in milliseconds. */
const timeoutMs = 5000

const readOutput: ReadOutput = (program, args) =>
  execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
    windowsHide: true,
  })

/** Blocks: commands read their settings before they do anything else. */
export function readAdministratorSettings(
  platform: string = process.platform,
  folder = '/etc/cardwire',
  ask: ReadOutput = readOutput,
): AdministratorSettings {
  if (platform === 'win32') {
    return {
      machine: readRegistryKey('HKLM\\SOFTWARE\\Cardwire', ask),
      managed: readRegistryKey('HKLM\\SOFTWARE\\Policies\\Cardwire', ask),
    }
  }
  if (platform === 'darwin') {
    return {
      machine: readPropertyList('/Library/Preferences/cardwire.plist', ask),
      managed: readPropertyList('/Library/Managed Preferences/cardwire.plist', ask),
    }
  }
  return {
    machine: readRootFile(`${folder}/cardwire.conf`),
    managed: readRootFile(`${folder}/managed.conf`),
  }
}

/** What a service wrote into the package that was installed (docs/decisions/0070); on Linux, where a package keeps it. */
export const readInstalledSettings = (
  platform: string = process.platform,
  folder = '/etc/cardwire',
): readonly SettingsPlace[] =>
  platform === 'linux' ? [readRootFile(`${folder}/installed.conf`)] : []

/** A file of NAME=value lines, as systemd's EnvironmentFile has them. */
function readRootFile(name: string): SettingsPlace {
  try {
    return { name, values: parseEnv(readTextOfRoot(name)) }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { name, values: {} }
    const fault = codeOf(error) === 'EACCES' ? 'this account may not read it' : errorText(error)
    return { name, values: {}, fault }
  }
}

/** Of root alone, so that no account writes settings for the others. */
function readTextOfRoot(path: string): string {
  // A FIFO would wait for somebody who writes.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { uid, mode } = fstatSync(file)
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw new Error('it is no regular file')
    if (uid !== 0 || (mode & 0o022) !== 0) {
      throw new Error('others than root may write it; make it root\'s, with "chmod 0644"')
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Values of text and numbers; every key that is absent is empty. */
function readRegistryKey(name: string, ask: ReadOutput): SettingsPlace {
  const program = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`
  try {
    return { name, values: parseRegistryValues(ask(program, ['query', name])) }
  } catch {
    return { name, values: {} }
  }
}

/** What `reg query` prints: a line per value, with name, type and data. */
export function parseRegistryValues(text: string): Record<string, string> {
  const lines = text.matchAll(/^\s+(CARDWIRE_\w+)\s+(REG_\w+)\s+(.*?)\s*$/gm)
  return Object.fromEntries(
    [...lines].map(([, name = '', type, data = '']): [string, string] => [
      name,
      type === 'REG_DWORD' ? String(Number(data)) : data,
    ]),
  )
}

function readPropertyList(name: string, ask: ReadOutput): SettingsPlace {
  let text: string
  try {
    text = ask('/usr/bin/plutil', ['-convert', 'json', '-o', '-', name])
  } catch {
    return { name, values: {} }
  }
  try {
    const values = Object.entries(JSON.parse(text) as object).map(
      ([key, value]): [string, string] => [key, String(value)],
    )
    return { name, values: Object.fromEntries(values) }
  } catch (error) {
    return { name, values: {}, fault: errorText(error) }
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
