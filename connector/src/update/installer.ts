/** How an installer is started: which kind of file it is, and what this system does with those. */

/** The beginnings of files: deb(5), the RPM file format, MS-CFB §2.2, PE/COFF, xar. */
const beginnings = {
  deb: Buffer.from('!<arch>\n'),
  rpm: Buffer.from([0xed, 0xab, 0xee, 0xdb]),
  msi: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  exe: Buffer.from('MZ'),
  pkg: Buffer.from('xar!'),
} as const

export type InstallerKind = keyof typeof beginnings

/** The kind of a file by its first bytes; undefined: none that is known. */
export function kindOf(first: Uint8Array): InstallerKind | undefined {
  for (const kind of Object.keys(beginnings) as InstallerKind[]) {
    const expected = beginnings[kind]
    if (expected.equals(first.subarray(0, expected.length))) return kind
  }
  return undefined
}

export interface Surroundings {
  readonly platform: string
  /** Whether we may change the machine ourselves. */
  readonly administrator: boolean
  /** Whether somebody can type a password. */
  readonly terminal: boolean
  /** Whether there is a desktop that can ask for one. */
  readonly desktop: boolean
  readonly has: (program: string) => boolean
}

export type Plan =
  /** Ends when it is installed, or not; its status says which. */
  | { readonly kind: 'run'; readonly command: readonly [string, ...string[]] }
  /** Opens the installer's own windows, and does not wait for them. */
  | { readonly kind: 'open' }
  /** What an administrator has to do; undefined: nobody here knows how. */
  | { readonly kind: 'tell'; readonly command: string | undefined }

export function planFor(kind: InstallerKind | undefined, path: string, around: Surroundings): Plan {
  const { platform } = around
  if (platform === 'win32') {
    return kind === 'msi' || kind === 'exe' ? { kind: 'open' } : unknown
  }
  if (platform === 'darwin') {
    return kind === 'pkg' ? { kind: 'run', command: ['open', '-W', path] } : unknown
  }
  const install = kind === 'deb' || kind === 'rpm' ? packages[kind](path) : undefined
  if (install === undefined || !around.has(install[0])) return unknown
  if (around.administrator) return { kind: 'run', command: install }
  if (around.terminal && around.has('sudo')) return { kind: 'run', command: ['sudo', ...install] }
  if (around.desktop && around.has('pkexec')) {
    return { kind: 'run', command: ['pkexec', ...install] }
  }
  return { kind: 'tell', command: ['sudo', ...install].join(' ') }
}

const unknown: Plan = { kind: 'tell', command: undefined }

/** A version that was withdrawn is followed by an older one. */
const packages = {
  deb: (path: string) => ['apt-get', 'install', '--yes', '--allow-downgrades', path] as const,
  rpm: (path: string) => ['dnf', 'install', '--assumeyes', '--allow-downgrade', path] as const,
}
