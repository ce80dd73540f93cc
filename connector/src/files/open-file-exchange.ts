/** Opens file exchange for this machine. */
import type { Log } from '../system/log.ts'
import { createUseFolder } from './contained-folder.ts'
import { createFileExchange, type FileExchange } from './file-exchange.ts'
import { openPartJournal } from './part-journal.ts'
import { createRenameFile } from './rename-file.ts'
import { isPartName } from './whole-files.ts'

/** `runtime`: the folder of the connector's own state. What downloads that were killed have left is removed. */
export const openFileExchange = (
  runtime: string,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): FileExchange =>
  createFileExchange(createUseFolder(process.platform), {
    journal: openPartJournal(runtime, isPartName, log),
    rename: createRenameFile(),
  })
