/** Where the list of known cards comes from: the copy beside the binary, or the system's where that is newer. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AtrList, parseAtrList } from './atr-list.ts'

/** The name of the file, in pcsc-tools and beside the binary. */
export const atrListName = 'smartcard_list.txt'

// The list of 2023 has half a megabyte; nothing of this kind has sixteen.
const largestBytes = 16 * 1024 * 1024

export interface AtrSource {
  readonly list: AtrList
  /** The file it was read from; undefined when there is none, and no card is known. */
  readonly path: string | undefined
}

export interface AtrPlaces {
  /** The folder of the binary. */
  readonly binaryFolder: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The files to look at, the connector's own first. Those of the system are where ATR_analysis(1p) looks and writes. */
export function atrListPaths({ binaryFolder, home, environment }: AtrPlaces): readonly string[] {
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

/** Reads the newest of the files that holds any entry; among files of the same age the first. Never fails. */
export async function loadAtrList(paths: readonly string[]): Promise<AtrSource> {
  const found = await Promise.all(paths.map(modifiedAt))
  const newestFirst = found
    .filter((file) => file !== undefined)
    .toSorted((one, other) => other.modifiedAtMs - one.modifiedAtMs)
  for (const { path } of newestFirst) {
    const list = parseAtrList(await readFile(path, 'utf8').catch(() => ''))
    if (list.size > 0) return { list, path }
  }
  return { list: parseAtrList(''), path: undefined }
}

async function modifiedAt(path: string) {
  const file = await stat(path).catch(() => undefined)
  if (!file?.isFile() || file.size > largestBytes) return undefined
  return { path, modifiedAtMs: file.mtimeMs }
}
