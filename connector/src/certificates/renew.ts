/** Renews the certificates when a user asks for it: the leaf, or the root and everything below it. */
import { tryReadCertificate } from '../pki/validate.ts'
import { errorText } from '../system/error-text.ts'
import type { CertificateFiles } from './certificate-files.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { RenewResult } from './certificates.ts'
import { toCertificateInfo } from './material.ts'
import { replaceTrust } from './old-root.ts'
import type { createServedLeaf } from './served-leaf.ts'

/** Never throws: when nothing could be renewed, the old files are kept. */
export async function renewCertificates(
  services: CertificateServices,
  files: CertificateFiles,
  serve: ReturnType<typeof createServedLeaf>['serve'],
  root: boolean,
): Promise<RenewResult> {
  const { folder, log } = services
  try {
    const kept = await folder.withLock(() => files.regenerate(root ? 'root' : 'leaf'))
    serve(kept.tls)
    const leaf = tryReadCertificate(kept.tls.cert)
    return {
      renewed: true,
      rootReplaced: root,
      ...(leaf ? { leaf: toCertificateInfo(leaf) } : {}),
      trust: root ? await replaceTrust(services, kept) : [],
      warnings: root ? [newRootWarning] : [],
    }
  } catch (error) {
    const reason = errorText(error)
    log.error('the certificates could not be renewed', { reason })
    return { renewed: false, reason, rootReplaced: false, trust: [], warnings: [] }
  }
}

const newRootWarning =
  'The root certificate is new. If you added the old one to a browser or program by hand, add the new one, too'
