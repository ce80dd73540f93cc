/** Keeps the certificate files that cannot be read before they are replaced, and reports each. */
import { createPrivateKey } from 'node:crypto'
import { join } from 'node:path'
import { type CertificateTexts, type FileKey, fileNames } from '../pki/certificate-folder.ts'
import { tryReadCertificate } from '../pki/validate.ts'
import { keepDamagedFile } from '../system/damaged-files.ts'
import type { Log } from '../system/log.ts'

/** Of the files that are about to be replaced, those that are no certificate or key. */
export function keepDamagedFiles(
  folder: string,
  texts: CertificateTexts,
  replaced: readonly FileKey[],
  log: Pick<Log, 'warn'>,
): void {
  for (const key of replaced) {
    const text = texts[key]
    if (text === undefined) continue
    const isReadable = key.endsWith('Key') ? isKey(text) : tryReadCertificate(text) !== undefined
    if (!isReadable) keepDamagedFile(join(folder, fileNames[key]), log)
  }
}

function isKey(pem: string): boolean {
  try {
    createPrivateKey(pem)
    return true
  } catch {
    return false
  }
}
