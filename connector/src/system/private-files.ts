/** Small files that only their owner may read, each written whole or not at all. */
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'

export interface PrivateFiles {
  /** undefined: there is none, or it cannot be read. */
  read(path: string): Promise<string | undefined>
  /** Makes the folder where it is missing. */
  write(path: string, text: string): Promise<void>
}

export const privateFiles: PrivateFiles = {
  read: (path) => readFile(path, 'utf8').catch(() => undefined),
  async write(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFileAtomic(path, text, { mode: 0o600 })
  },
}
