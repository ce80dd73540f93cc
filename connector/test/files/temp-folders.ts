/** Folders for tests of file exchange: that of a type, and one outside of it. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUseFolder } from '../../src/files/contained-folder.ts'
import {
  createFileExchange,
  type FileExchange,
  type MappedType,
} from '../../src/files/file-exchange.ts'
import type { JudgeFolder } from '../../src/files/judge-folder.ts'
import { createMarkFile, type MarkFile } from '../../src/files/mark-file.ts'
import { openPartJournal } from '../../src/files/part-journal.ts'
import { createRenameFile } from '../../src/files/rename-file.ts'
import { isPartName } from '../../src/files/whole-files.ts'

export interface TestFolders {
  readonly root: string
  readonly outside: string
  readonly type: MappedType
  /** The folders whose disk kept no mark of a file. */
  readonly unmarked: readonly string[]
  readonly exchange: FileExchange
  remove(): void
}

/** `platform`: the rules by which folders are reached. */
export async function createTestFolders(
  platform: string = process.platform,
  judge: JudgeFolder = async () => undefined,
  mark: MarkFile = createMarkFile(process.platform),
): Promise<TestFolders> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cardwire-files-')))
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  for (const folder of [root, outside]) await mkdir(folder)
  const journal = openPartJournal(join(base, 'runtime'), isPartName, {
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  })
  const unmarked: string[] = []
  return {
    unmarked,
    root,
    outside,
    type: { origin: 'https://shop.example', entity: 'shop', type: 'invoices', path: root },
    exchange: createFileExchange(createUseFolder(platform, judge), {
      journal,
      rename: createRenameFile(),
      mark,
      onUnmarked: (folder) => void unmarked.push(folder),
    }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}
