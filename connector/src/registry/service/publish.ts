/** Publishes the certificates of the service for every user of the machine: leaf and root, never a key. */
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { fileNames } from '../../pki/certificate-folder.ts'
import type { MachineFolders } from '../../system/folders.ts'

/** Copies both certificates into the published folder, the leaf last: its presence means that the service is complete. */
export async function publishCertificates(folders: MachineFolders): Promise<void> {
  await mkdir(folders.published, { recursive: true })
  // Regardless of the umask: users have to reach the folder.
  await chmod(folders.base, 0o755)
  await chmod(folders.published, 0o755)
  await copyCertificate(join(folders.certificates, fileNames.rootCert), folders.root)
  await copyCertificate(join(folders.certificates, fileNames.leafCert), folders.leaf)
}

async function copyCertificate(from: string, to: string): Promise<void> {
  const text = await readFile(from, 'utf8')
  const existing = await readFile(to, 'utf8').catch(() => undefined)
  if (existing !== text) await writeFileAtomic(to, text, { mode: 0o644 })
  await chmod(to, 0o644)
}
