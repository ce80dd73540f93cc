/** Reads the lists of the folder that programs of the user write, too. */
import { DamagedList, type listNames } from '../pki/certificate-folder.ts'
import type { CertificateServices } from './certificate-services.ts'

/** What is no list is ignored, and the log says so. Throws when the list cannot be read: it is not known what is in it. */
export async function readListUnlessDamaged(
  { folder, log }: Pick<CertificateServices, 'folder' | 'log'>,
  name: keyof typeof listNames,
): Promise<readonly string[]> {
  return folder.readList(name).catch((error: unknown) => {
    if (!(error instanceof DamagedList)) throw error
    log.warn('a list of the certificates is ignored', { reason: error.message })
    return []
  })
}
