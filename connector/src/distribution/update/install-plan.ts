/** Plans how an installer is started: which kind of file it is, what installs that kind, and how that gets the rights it needs. */
import { getWindowsSystemFolder } from '../../system/libraries/system-libraries.ts'

/** The first bytes of files: deb(5), the RPM file format, MS-CFB §2.2, PE/COFF, xar. */
const signatures = {
  deb: Buffer.from('!<arch>\n'),
  rpm: Buffer.from([0xed, 0xab, 0xee, 0xdb]),
  msi: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  exe: Buffer.from('MZ'),
  pkg: Buffer.from('xar!'),
} as const

export type InstallerKind = keyof typeof signatures
export type Command = readonly [string, ...string[]]
type HasProgram = (program: string) => boolean

/** The kind of a file by its first bytes; undefined: unknown. */
export function detectInstallerKind(firstBytes: Uint8Array): InstallerKind | undefined {
  for (const kind of Object.keys(signatures) as InstallerKind[]) {
    const signature = signatures[kind]
    if (signature.equals(firstBytes.subarray(0, signature.length))) return kind
  }
  return undefined
}

/**
 * The command by which an administrator installs a file of that kind, the system's own first; it ends when the installation has
 * ended. A downgrade is meant: the version after a withdrawn one may be older. undefined: this system installs no such file.
 */
export function findInstallCommand(
  kind: InstallerKind | undefined,
  path: string,
  { platform, hasProgram }: { readonly platform: string; readonly hasProgram: HasProgram },
): Command | undefined {
  const commands = kind === undefined ? undefined : installers[platform]?.[kind]?.(path)
  return commands?.find(([program]) => hasProgram(program))
}

/** Not by its name alone: Windows looks for that in the current folder first, where others may have put a program. */
const findInSystem32 = (program: string) => `${getWindowsSystemFolder()}\\${program}`

const aptInstall = ['install', '--yes', '--allow-downgrades']

const installers: Readonly<
  Record<string, { readonly [K in InstallerKind]?: (path: string) => readonly Command[] }>
> = {
  linux: {
    deb: (path) => [
      // Unattended upgrades hold the lock for some minutes at most. In seconds.
      ['apt-get', ...['--option', 'DPkg::Lock::Timeout=300'], ...aptInstall, path],
      ['dpkg', '--install', path],
    ],
    // dnf downgrades with another command; rpm does both with one, and the packages that ours needs are there by then.
    rpm: (path) => [
      ['dnf', 'install', '--assumeyes', path],
      ['rpm', '--upgrade', '--oldpackage', path],
    ],
  },
  darwin: { pkg: (path) => [['/usr/sbin/installer', '-pkg', path, '-target', '/']] },
  win32: {
    msi: (path) => [
      [findInSystem32('msiexec.exe'), '/i', path, '/passive', '/norestart', 'ALLOWDOWNGRADE=1'],
    ],
    exe: (path) => [[path]],
  },
}

export interface Elevation {
  readonly platform: string
  /** Whether this process may change the machine. */
  readonly isAdministrator: boolean
  /** Whether the user can type a password in a terminal. */
  readonly hasTerminal: boolean
  /** Whether a desktop can ask the user for a password. */
  readonly hasDesktop: boolean
  readonly hasProgram: HasProgram
}

/** The command with the rights of an administrator, for which the system asks the user; undefined: it cannot ask. */
export function elevate(
  command: Command,
  { platform, isAdministrator, hasTerminal, hasDesktop, hasProgram }: Elevation,
): Command | undefined {
  if (isAdministrator) return command
  if (platform === 'win32') return elevateOnWindows(command)
  if (hasTerminal && hasProgram('sudo')) return ['sudo', '--', ...command]
  if (!hasDesktop) return undefined
  if (platform === 'darwin') return ['/usr/bin/osascript', ...elevatingScript, ...command]
  return hasProgram('pkexec') ? ['pkexec', ...command] : undefined
}

/** Windows shows its own question; the exit status is that of the command. */
const elevateOnWindows = ([program, ...args]: Command): Command => [
  findInSystem32('WindowsPowerShell\\v1.0\\powershell.exe'),
  ...['-NoProfile', '-NonInteractive', '-Command'],
  `exit (Start-Process -FilePath ${quote(program)} -ArgumentList ${args.map((arg) => quote(`"${arg}"`)).join(',')} -Verb RunAs -Wait -PassThru).ExitCode`,
]

/** A text of PowerShell in which nothing is replaced. It takes each of these for the same quote (about_Quoting_Rules). */
const quote = (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`

/** What is data is never part of the script: the arguments follow it. */
const elevatingScript = [
  'on run parts',
  'set command to ""',
  'repeat with part in parts',
  'set command to command & quoted form of (part as text) & " "',
  'end repeat',
  'do shell script command with administrator privileges',
  'end run',
].flatMap((line) => ['-e', line])
