/** Which folders a person may give to a page: none that has more in it than files for a page. */
import { posix, win32 } from 'node:path'

export interface FolderContext {
  /** As Node spells it. */
  readonly platform: string
  readonly home: string
  /** The folders of this connector. */
  readonly own: readonly string[]
}

/** Below these lie programs and settings of the system; on Windows on every drive. */
const systemFolders: Readonly<Record<string, readonly string[]>> = {
  linux: [
    '/bin',
    '/boot',
    '/dev',
    '/etc',
    '/lib',
    '/lib64',
    '/proc',
    '/run/systemd',
    '/run/user',
    '/sbin',
    '/sys',
    '/usr',
    '/var',
  ],
  darwin: [
    '/Applications',
    '/Library',
    '/System',
    '/bin',
    '/dev',
    '/etc',
    '/private',
    '/sbin',
    '/usr',
    '/var',
  ],
  win32: ['\\Windows', '\\Program Files', '\\Program Files (x86)', '\\ProgramData'],
}

/** The folders of the home folder in which programs and settings lie. */
const homeFolders: Readonly<Record<string, readonly string[]>> = {
  linux: ['bin'],
  darwin: ['Library', 'Applications'],
  win32: ['AppData'],
}

/** Why a page may not have this folder, which is absolute and without links; undefined: it may. */
export function findFolderFault(
  folder: string,
  { platform, home, own }: FolderContext,
): 'whole' | 'system' | 'hidden' | 'own' | undefined {
  const path = platform === 'win32' ? win32 : posix
  const plain = (one: string) => (platform === 'linux' ? one : one.toLowerCase().normalize('NFC'))
  /** Whether `inner` is `outer`, or lies below it. */
  const isWithin = (inner: string, outer: string) => {
    const way = path.relative(plain(outer), plain(inner))
    return way === '' || (!way.startsWith('..') && !path.isAbsolute(way))
  }
  const { root } = path.parse(folder)
  if (isWithin(root, folder) || isWithin(home, folder)) return 'whole'
  if (own.some((one) => isWithin(folder, one) || isWithin(one, folder))) return 'own'
  const system = (systemFolders[platform] ?? []).map((one) =>
    platform === 'win32' ? path.join(root, one) : one,
  )
  const programs = (homeFolders[platform] ?? []).map((one) => path.join(home, one))
  const isInHome = isWithin(folder, home)
  if (programs.some((one) => isWithin(folder, one))) return 'system'
  if (!isInHome && system.some((one) => isWithin(folder, one))) return 'system'
  const way = isInHome ? path.relative(plain(home), plain(folder)) : folder
  return way.split(path.sep).some((segment) => segment.startsWith('.')) ? 'hidden' : undefined
}
