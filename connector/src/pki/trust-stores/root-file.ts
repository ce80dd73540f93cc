/** Writes a root to a temporary file, for commands that read it from one. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../system/temporary-folder.ts'
import { encodePem } from '../certificate.ts'
import type { RootIdentity } from './trust-store.ts'

/** Runs `work` with the path of a file with the root (PEM); the file exists only meanwhile. */
export async function withRootFile<T>(
  root: RootIdentity,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await makeTemporaryFolder('cardwire-root-')
  try {
    const path = join(folder, 'root.pem')
    await writeFile(path, encodePem(root.der))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
