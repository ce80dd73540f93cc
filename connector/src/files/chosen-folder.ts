/** The folders of this machine that persons choose from: where a window begins, and which folders a page may have. */
import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { parseSegments } from './file-names.ts'
import { type FolderContext, findFolderFault } from './folder-rules.ts'

/** The folder at the segments below that of the person where there is one, else that of the person. */
export async function findStartFolder(home: string, segments: readonly string[]): Promise<string> {
  try {
    const start = join(home, ...parseSegments(segments))
    return (await lstat(start)).isDirectory() ? start : home
  } catch {
    return home
  }
}

/** Without links; undefined: it is no folder, or none for a page. */
export async function judgeChosenFolder(
  path: string,
  context: FolderContext,
): Promise<string | undefined> {
  try {
    if (!isAbsolute(path)) return undefined
    const found = await realpath(path)
    if (!(await lstat(found)).isDirectory()) return undefined
    const fault = findFolderFault(found, await withoutLinks(context))
    return fault === undefined ? found : undefined
  } catch {
    return undefined
  }
}

/** Network homes, and some systems, have a link on the way to the folder of the person. */
async function withoutLinks({ platform, home, own }: FolderContext): Promise<FolderContext> {
  const resolve = (path: string) => realpath(path).catch(() => path)
  return { platform, home: await resolve(home), own: await Promise.all(own.map(resolve)) }
}
