/** Which folders a page may have, by the choice of a user or an administrator: none that holds more than files for a page. */
import { posix, win32 } from 'node:path'
import { readShareHost } from './share-host.ts'

export interface FolderContext {
  /** As Node spells it. */
  readonly platform: string
  readonly home: string
  /** Homes of this account beside `home`, such as the profile of Windows where HOME names another folder; absent: none. */
  readonly otherHomes?: readonly string[]
  /** The folders of this connector. */
  readonly own: readonly string[]
  /** The folders in which systems look for programs (PATH), and that of this connector; relative ones are left out. */
  readonly programs: readonly string[]
  /** Where settings and what starts by itself lie on this machine, wherever they were moved to; absent: in the usual folders. */
  readonly settings?: readonly string[]
}

/** Below these lie programs and settings of the system; on Windows on every drive. */
const systemFolders: Readonly<Record<string, readonly string[]>> = {
  linux: [
    '/bin',
    '/boot',
    '/dev',
    '/efi',
    '/etc',
    '/gnu',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/nix',
    '/opt',
    '/proc',
    '/root',
    '/run/systemd',
    '/run/user',
    '/sbin',
    '/snap',
    '/sys',
    '/usr',
    '/var',
  ],
  darwin: [
    '/Applications',
    '/Library',
    '/System',
    '/bin',
    '/cores',
    '/dev',
    '/etc',
    '/nix',
    '/opt',
    '/private',
    '/sbin',
    '/usr',
    '/var',
  ],
  win32: [
    '\\$Recycle.Bin',
    '\\Program Files',
    '\\Program Files (x86)',
    '\\ProgramData',
    '\\Recovery',
    '\\System Volume Information',
    '\\Windows',
  ],
}

/** The folders of the home folder in which programs and settings lie. */
const homeFolders: Readonly<Record<string, readonly string[]>> = {
  linux: ['Applications', 'bin', 'snap'],
  darwin: ['Applications', 'Library', 'bin'],
  win32: ['AppData'],
}

/** A drive, or a share; `readShare` says which shares. */
const windowsRoot = /^(?:[a-z]:|\\\\.*)\\$/is

export type FolderFault = 'whole' | 'system' | 'hidden' | 'own'

/** Why a page may not have this folder, which has no links; undefined: it may. */
export function findFolderFault(
  folder: string,
  { platform, home, otherHomes = [], own, programs, settings = [] }: FolderContext,
): FolderFault | undefined {
  const homes = [home, ...otherHomes]
  const path = platform === 'win32' ? win32 : posix
  const { root } = path.parse(folder)
  // What the system does not show as an absolute path lies where this process cannot tell.
  if (platform === 'win32' ? !isWindowsRoot(root) : root !== '/') return 'system'
  const { isWithin, overlap } = comparePaths(platform)
  if ([root, ...homes].some((one) => isWithin(one, folder))) return 'whole'
  if (own.some((one) => overlap(one, folder))) return 'own'
  const inHomes = homes.flatMap((each) =>
    (homeFolders[platform] ?? []).map((one) => path.join(each, one)),
  )
  const places = [...inHomes, ...settings.filter((one) => path.isAbsolute(one))]
  if (places.some((one) => overlap(one, folder))) return 'system'
  if (programs.some((one) => path.isAbsolute(one) && isWithin(one, folder))) return 'system'
  const around = homes.find((each) => isWithin(folder, each))
  const system = (systemFolders[platform] ?? []).map((one) => path.join(root, one))
  if (around === undefined && system.some((one) => overlap(one, folder))) return 'system'
  const way =
    around === undefined ? folder : path.relative(fold(platform, around), fold(platform, folder))
  return way.split(path.sep).some((segment) => segment.startsWith('.')) ? 'hidden' : undefined
}

const isWindowsRoot = (root: string): boolean =>
  windowsRoot.test(root) && (!root.startsWith('\\\\') || readShareHost(root) !== undefined)

/** Names that differ in case or form are the same on macOS and Windows; so is a share by each name of its host. */
const fold = (platform: string, path: string) => {
  if (platform === 'linux') return path
  const folded = path.toLowerCase().normalize('NFC')
  return platform === 'win32' ? folded.replace(/^\\\\[^\\]+\\/, '\\\\host\\') : folded
}

function comparePaths(platform: string) {
  const path = platform === 'win32' ? win32 : posix
  /** Whether `inner` is `outer`, or lies below it. */
  const isWithin = (inner: string, outer: string) => {
    const way = path.relative(fold(platform, outer), fold(platform, inner))
    return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way))
  }
  return {
    isWithin,
    overlap: (one: string, other: string) => isWithin(one, other) || isWithin(other, one),
  }
}
