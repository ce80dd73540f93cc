/** Loads the list of known cards: the copy beside the binary, or the system's when that is newer. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AtrList, parseAtrList } from './atr-list.ts'

/** The file name, in pcsc-tools and beside the binary. */
export const atrListName = 'smartcard_list.txt'

// The list of 2023 has half a megabyte.
const maxBytes = 16 * 1024 * 1024

export interface AtrSource {
  readonly list: AtrList
  /** The file it was read from; undefined: there is none, and no card is known. */
  readonly path: string | undefined
}

export interface AtrListFolders {
  /** The folder of the binary. */
  readonly binaryFolder: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The paths of all lists, the connector's own first. Those of the system are the ones that ATR_analysis(1p) uses. */
export function atrListPaths({
  binaryFolder,
  home,
  environment,
}: AtrListFolders): readonly string[] {
  const cache = environment['XDG_CACHE_HOME']
  const folders = [
    binaryFolder,
    cache?.startsWith('/') ? cache : join(home, '.cache'),
    '/usr/local/share/pcsc',
    '/opt/homebrew/share/pcsc',
    '/usr/share/pcsc',
  ]
  return folders.map((folder) => join(folder, atrListName))
}

/** Reads the newest file that has an entry; among files of the same age the first. Never rejects. */
export async function loadAtrList(paths: readonly string[]): Promise<AtrSource> {
  const found = await Promise.all(paths.map(readModifiedAt))
  const newestFirst = found
    .filter((file) => file !== undefined)
    .toSorted((one, other) => other.modifiedAtMs - one.modifiedAtMs)
  for (const { path } of newestFirst) {
    const list = parseAtrList(await readFile(path, 'utf8').catch(() => ''))
    if (list.size > 0) return { list, path }
  }
  return { list: parseAtrList(''), path: undefined }
}

async function readModifiedAt(path: string) {
  const file = await stat(path).catch(() => undefined)
  if (!file?.isFile() || file.size > maxBytes) return undefined
  return { path, modifiedAtMs: file.mtimeMs }
}
