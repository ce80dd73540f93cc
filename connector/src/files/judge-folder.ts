/** Judges a folder by where it lies now: the folders that it must not be may themselves lie behind links. */
import { realpath } from 'node:fs/promises'
import { type FolderContext, type FolderFault, findFolderFault } from './folder-rules.ts'

/** `resolved`: absolute and without links. Resolves with why no page may have it; undefined: one may. */
export type JudgeFolder = (resolved: string) => Promise<FolderFault | undefined>

export const createJudgeFolder =
  (context: FolderContext): JudgeFolder =>
  async (resolved) =>
    findFolderFault(resolved, await withoutLinks(context))

/** Network homes, and some systems, have a link on the way to the home folder. */
async function withoutLinks(context: FolderContext): Promise<FolderContext> {
  const resolve = (path: string) => realpath(path).catch(() => path)
  const { accountHome = context.home } = context
  const [home, account, own, programs] = await Promise.all([
    resolve(context.home),
    resolve(accountHome),
    Promise.all(context.own.map(resolve)),
    Promise.all(context.programs.map(resolve)),
  ])
  return { platform: context.platform, home, accountHome: account, own, programs }
}
