/** Copies an installer to where the user who downloaded it cannot change it any more, and verifies the copy. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { signatureBytes } from './download.ts'

export interface CopiedInstaller {
  /** SHA-256 of what was written, lower-case hexadecimal. */
  readonly sha256: string
  /** As many as tell the kind of the file. */
  readonly firstBytes: Uint8Array
}

/** Never through a link. Throws the error of the system. `to` must not exist; everybody may read it, as apt's own account does. */
export async function copyInstaller(from: string, to: string): Promise<CopiedInstaller> {
  // O_NONBLOCK: nobody has to write into what is no file. Windows has neither.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const source = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (!(await source.stat()).isFile()) throw new Error(`"${from}" is not a file`)
    const target = await open(to, 'wx', 0o644)
    try {
      return await copyBytes(source, target)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** The digest is that of the bytes that are written: the source may change meanwhile. */
async function copyBytes(source: FileHandle, target: FileHandle): Promise<CopiedInstaller> {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(1024 ** 2)
  let firstBytes = Buffer.alloc(0)
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length)
    if (bytesRead === 0) break
    const part = buffer.subarray(0, bytesRead)
    if (firstBytes.length < signatureBytes)
      firstBytes = Buffer.concat([firstBytes, part]).subarray(0, signatureBytes)
    hash.update(part)
    await target.writeFile(part)
  }
  await target.sync()
  return { sha256: hash.digest('hex'), firstBytes }
}
