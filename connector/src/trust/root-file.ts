/** Lends a root to commands that read it from a file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Facts } from '../pki/certificate.ts'

/** Runs `work` with the path of a file that holds the root (PEM) for as long. */
export async function withRootFile<T>(root: Facts, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-root-'))
  try {
    const path = join(folder, 'root.pem')
    await writeFile(path, root.pem)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
