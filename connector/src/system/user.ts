/** The user of this session and the machine, as the system reports them. */
import { readFileSync } from 'node:fs'
import { arch, homedir, hostname, release, tmpdir } from 'node:os'
import { readLocale } from './locale.ts'
import { readPosixUserName, readWindowsUserName } from './native.ts'

/** The user of this connector, and the machine. */
export interface User {
  readonly username: string
  readonly hostName: string
  readonly home: string
  readonly tempDir: string
  readonly timezone: string
  /** Empty: the system does not say. */
  readonly language: string
  /** Empty: the system does not say. */
  readonly country: string
  /** Whether there is a desktop to show dialogs on. */
  readonly desktop: boolean
  readonly os: {
    readonly name: string
    readonly version: string
    readonly architecture: string
    /** The packages that it installs; undefined where that is not known, or says the name. */
    readonly packageFormat?: 'deb' | 'rpm' | undefined
  }
}

type Environment = Readonly<Record<string, string | undefined>>

export function readUser(environment: Environment): User {
  const { platform } = process
  return {
    username: readUserName(platform, environment),
    hostName: hostname(),
    home: environment['HOME'] ?? homedir(),
    tempDir: tmpdir(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...readLocale(platform, environment),
    desktop: hasDesktop(platform, environment),
    os: {
      name: platform,
      version: release(),
      architecture: arch(),
      packageFormat: platform === 'linux' ? toPackageFormat(readOsRelease()) : undefined,
    },
  }
}

/** `osRelease`: the text of os-release(5). */
export function toPackageFormat(osRelease: string): 'deb' | 'rpm' | undefined {
  const ids = osRelease.match(/^ID(_LIKE)?=.*$/gm)?.join(' ') ?? ''
  if (/\b(debian|ubuntu)\b/.test(ids)) return 'deb'
  return /\b(fedora|rhel|centos|suse|opensuse)\b/.test(ids) ? 'rpm' : undefined
}

function readOsRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}

/** The name of the account, whatever the environment says; that stands in for an account without a name. */
export function readUserName(platform: string, environment: Environment): string {
  const name = platform === 'win32' ? readWindowsUserName() : readPosixUserName(platform)
  return name ?? environment['USER'] ?? environment['LOGNAME'] ?? 'unknown'
}

/** On Linux a session has a display or none; on Windows and macOS the connector runs in the session of its user. */
export const hasDesktop = (platform: string, environment: Environment): boolean =>
  platform === 'win32' ||
  platform === 'darwin' ||
  Boolean(environment['WAYLAND_DISPLAY'] || environment['DISPLAY'])
