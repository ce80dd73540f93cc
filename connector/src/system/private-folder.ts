/** Opens a folder that only its owner may read. */
import { mkdirSync } from 'node:fs'
import { type Log, logOpenPaths } from './log.ts'
import { restrictFolder } from './restrict-folder.ts'

/** Creates the folder where it is missing, restricts it and its files, and logs what was open to others. */
export function openPrivateFolder(folder: string, log: Pick<Log, 'warn' | 'error'>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  logOpenPaths(restrictFolder(folder), log)
}
