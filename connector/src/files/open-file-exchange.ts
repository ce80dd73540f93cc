/** Opens file exchange for this machine. */
import type { Log } from '../system/log.ts'
import { createUseFolder } from './contained-folder.ts'
import { createFileExchange, type FileExchange } from './file-exchange.ts'
import type { FolderContext } from './folder-rules.ts'
import { createJudgeFolder, type JudgeFolder } from './judge-folder.ts'
import { createMarkFile } from './mark-file.ts'
import { openPartJournal } from './part-journal.ts'
import { createRenameFile } from './rename-file.ts'
import { isPartName } from './whole-files.ts'

/** `runtime`: the folder of the connector's own state. Removes what downloads that were killed have left. */
export const openFileExchange = (
  runtime: string,
  context: FolderContext,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): FileExchange =>
  createFileExchange(createUseFolder(context.platform, createLoggedJudge(context, log)), {
    journal: openPartJournal(runtime, isPartName, log),
    rename: createRenameFile(),
    mark: createMarkFile(context.platform),
    onUnmarked: createUnmarkedLog(log),
  })

/** Each folder once. */
function createUnmarkedLog(log: Pick<Log, 'warn'>): (folder: string) => void {
  const logged = new Set<string>()
  return (folder) => {
    if (logged.has(folder)) return
    logged.add(folder)
    log.warn('files of pages written without a mark: the disk keeps none', { folder })
  }
}

/** Each folder that is refused is in the log once: pages repeat what they do. */
function createLoggedJudge(context: FolderContext, log: Pick<Log, 'warn'>): JudgeFolder {
  const judge = createJudgeFolder(context)
  const logged = new Set<string>()
  return async (folder) => {
    const fault = await judge(folder)
    if (fault !== undefined && !logged.has(folder)) {
      logged.add(folder)
      log.warn('folder not used: no page may have it', { folder, fault })
    }
    return fault
  }
}
