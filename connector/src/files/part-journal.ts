/** The files that downloads are writing, each named by a file of the runtime folder: what was killed in between is removed at the next start. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { errorText } from '../system/error-text.ts'
import type { Log } from '../system/log.ts'
import { openPrivateFolder } from '../system/private-folder.ts'

/** In the runtime folder. */
const journalFolder = 'downloads'

export interface PartJournal {
  /** Before the file comes into being. The function forgets it. Throws when the disk refuses. */
  add(path: string): () => void
}

/** Removes what is left of downloads before; `isPartName` says which names may be removed. */
export function openPartJournal(
  runtime: string,
  isPartName: (name: string) => boolean,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): PartJournal {
  const folder = join(runtime, journalFolder)
  openPrivateFolder(folder, log)
  for (const name of readdirSync(folder)) {
    const entry = join(folder, name)
    try {
      removePart(readFileSync(entry, 'utf8'), isPartName, log)
    } catch (error) {
      // On a disk that is not there: the page never sees it, for its name is hidden.
      log.warn('rest of a download not removed', { reason: errorText(error) })
    }
    rmSync(entry, { recursive: true, force: true })
  }
  return {
    add(path) {
      const entry = join(folder, randomBytes(12).toString('hex'))
      writeFileSync(entry, path, { flag: 'wx', mode: 0o600 })
      return () => rmSync(entry, { force: true })
    },
  }
}

function removePart(
  path: string,
  isPartName: (name: string) => boolean,
  log: Pick<Log, 'info'>,
): void {
  if (!isAbsolute(path) || !isPartName(basename(path))) return
  try {
    unlinkSync(path)
    log.info('rest of a download removed', { path })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
}
