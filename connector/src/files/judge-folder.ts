/** Judges a folder by where it lies now: the folders that it must not be may themselves lie behind links. */
import { realpath } from 'node:fs/promises'
import { type FolderContext, type FolderFault, findFolderFault } from './folder-rules.ts'
import { isOtherMachine, readShareHost } from './share-host.ts'

/** `resolved`: absolute and without links. Resolves with why no page may have it; undefined: one may. */
export type JudgeFolder = (resolved: string) => Promise<FolderFault | undefined>

/** A share is judged by its host as well, which `isOther` tells from this machine. */
export const createJudgeFolder =
  (context: FolderContext, isOther = isOtherMachine): JudgeFolder =>
  async (resolved) => {
    const fault = findFolderFault(resolved, await withoutLinks(context))
    if (fault !== undefined || context.platform !== 'win32') return fault
    const host = readShareHost(resolved)
    return host === undefined || (await isOther(host)) ? undefined : 'system'
  }

/** Network homes, and some systems, have a link on the way to the home folder. */
async function withoutLinks(context: FolderContext): Promise<FolderContext> {
  const resolve = (path: string) => realpath(path).catch(() => path)
  const resolveAll = (paths: readonly string[] = []) => Promise.all(paths.map(resolve))
  const [home, otherHomes, own, programs, settings] = await Promise.all([
    resolve(context.home),
    resolveAll(context.otherHomes),
    resolveAll(context.own),
    resolveAll(context.programs),
    resolveAll(context.settings),
  ])
  return { platform: context.platform, home, otherHomes, own, programs, settings }
}
