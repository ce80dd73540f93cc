/** The folders of this machine that users choose from: where a window begins, and which folders a page may have. */
import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { parseSegments } from './file-names.ts'
import type { JudgeFolder } from './judge-folder.ts'

/** The folder at the segments below the home folder if there is one, else the home folder. */
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
  judge: JudgeFolder,
): Promise<string | undefined> {
  try {
    if (!isAbsolute(path)) return undefined
    const found = await realpath(path)
    if (!(await lstat(found)).isDirectory()) return undefined
    return (await judge(found)) === undefined ? found : undefined
  } catch {
    return undefined
  }
}
