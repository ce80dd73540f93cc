/** Lets everybody read what the service is known by: its leaf and its root, never a key. */
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { fileNames } from '../../pki/folder.ts'
import type { MachineFolders } from '../../system/folders.ts'

/** Copies both certificates into the published folder. The leaf comes last: where it is, the service is complete. */
export async function publishCertificates(folders: MachineFolders): Promise<void> {
  await mkdir(folders.published, { recursive: true })
  // Whatever the umask says: the way there has to be open too.
  await chmod(folders.base, 0o755)
  await chmod(folders.published, 0o755)
  await copy(join(folders.certificates, fileNames.rootCert), folders.root)
  await copy(join(folders.certificates, fileNames.leafCert), folders.leaf)
}

async function copy(from: string, to: string): Promise<void> {
  const text = await readFile(from, 'utf8')
  const there = await readFile(to, 'utf8').catch(() => undefined)
  if (there !== text) await writeFileAtomic(to, text, { mode: 0o644 })
  await chmod(to, 0o644)
}
