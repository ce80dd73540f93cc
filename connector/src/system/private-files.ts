/** Small files that only their owner may read, each written whole or not at all. */
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { keepDamagedFile } from './damaged-files.ts'
import type { Log } from './log.ts'
import { ignoreMissing } from './missing-file.ts'

export interface PrivateFiles {
  /** undefined: there is none. Rejects when there is one that cannot be read: it must not be replaced. */
  read(path: string): Promise<string | undefined>
  /** Makes the folder where it is missing. */
  write(path: string, text: string): Promise<void>
  /** Keeps a copy of a file that cannot be used, and logs it; nothing where there is none. */
  keepDamaged(path: string, log: Pick<Log, 'warn'>): void
}

export const privateFiles: PrivateFiles = {
  read: (path) => readFile(path, 'utf8').catch(ignoreMissing),
  async write(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFileAtomic(path, text, { mode: 0o600 })
  },
  keepDamaged: keepDamagedFile,
}
