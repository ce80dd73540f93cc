/** Opens a folder that only its owner may read. */
import { mkdirSync } from 'node:fs'
import { type Log, logOpenPaths } from './log.ts'
import { requireOwnFolder, restrictFolder } from './restrict-folder.ts'

/** Creates the folder where it is missing, restricts it and its files, and logs what was open to others. Throws for another account's. */
export function openPrivateFolder(folder: string, log: Pick<Log, 'warn' | 'error'>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  requireOwnFolder(folder)
  logOpenPaths(restrictFolder(folder), log)
}
