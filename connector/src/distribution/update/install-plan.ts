/** Plans how an installer is started: which kind of file it is, and what this system does with that kind. */

/** The first bytes of files: deb(5), the RPM file format, MS-CFB §2.2, PE/COFF, xar. */
const signatures = {
  deb: Buffer.from('!<arch>\n'),
  rpm: Buffer.from([0xed, 0xab, 0xee, 0xdb]),
  msi: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  exe: Buffer.from('MZ'),
  pkg: Buffer.from('xar!'),
} as const

export type InstallerKind = keyof typeof signatures

/** The kind of a file by its first bytes; undefined: unknown. */
export function detectInstallerKind(firstBytes: Uint8Array): InstallerKind | undefined {
  for (const kind of Object.keys(signatures) as InstallerKind[]) {
    const signature = signatures[kind]
    if (signature.equals(firstBytes.subarray(0, signature.length))) return kind
  }
  return undefined
}

export interface InstallEnvironment {
  readonly platform: string
  /** Whether this process may change the machine. */
  readonly administrator: boolean
  /** Whether the user can type a password in a terminal. */
  readonly terminal: boolean
  /** Whether a desktop can ask the user for a password. */
  readonly desktop: boolean
  readonly hasProgram: (program: string) => boolean
}

export type InstallPlan =
  /** The command ends when the installation has ended; its exit status is the result. */
  | { readonly kind: 'run'; readonly command: readonly [string, ...string[]] }
  /** Opens the installer's own windows, and does not wait for them. */
  | { readonly kind: 'open' }
  /** An administrator has to run this command; undefined: the kind of file is not known on this system. */
  | { readonly kind: 'instruct'; readonly command: string | undefined }

export function planInstallation(
  kind: InstallerKind | undefined,
  path: string,
  environment: InstallEnvironment,
): InstallPlan {
  const { platform, administrator, terminal, desktop, hasProgram } = environment
  if (platform === 'win32') {
    return kind === 'msi' || kind === 'exe' ? { kind: 'open' } : unknownFile
  }
  if (platform === 'darwin') {
    return kind === 'pkg' ? { kind: 'run', command: ['open', '-W', path] } : unknownFile
  }
  const install = kind === 'deb' || kind === 'rpm' ? packageCommands[kind](path) : undefined
  if (install === undefined || !hasProgram(install[0])) return unknownFile
  if (administrator) return { kind: 'run', command: install }
  if (terminal && hasProgram('sudo')) return { kind: 'run', command: ['sudo', ...install] }
  if (desktop && hasProgram('pkexec')) return { kind: 'run', command: ['pkexec', ...install] }
  return { kind: 'instruct', command: ['sudo', ...install].join(' ') }
}

const unknownFile: InstallPlan = { kind: 'instruct', command: undefined }

/** Downgrades are allowed: the version after a withdrawn one may be older. */
const packageCommands = {
  deb: (path: string) => ['apt-get', 'install', '--yes', '--allow-downgrades', path] as const,
  rpm: (path: string) => ['dnf', 'install', '--assumeyes', '--allow-downgrade', path] as const,
}
