/** The leaf that is served: the listeners hear of each new one, also of one that another process has renewed. */
import { watch } from 'node:fs'
import { fileNames } from '../pki/certificate-folder.ts'
import { errorText } from '../system/error-text.ts'
import type { CertificateFiles } from './certificate-files.ts'
import type { CertificateServices } from './certificate-services.ts'
import type { TlsMaterial } from './certificates.ts'

export function createServedLeaf(
  { folder, log }: Pick<CertificateServices, 'folder' | 'log'>,
  files: Pick<CertificateFiles, 'readCurrent'>,
) {
  const listeners = new Set<(tls: TlsMaterial) => void>()
  let servedFingerprint: string | undefined

  /** Calls the listeners when the certificate to serve has changed. */
  function serve(tls: TlsMaterial): TlsMaterial {
    const changed = servedFingerprint !== undefined && servedFingerprint !== tls.fingerprint
    servedFingerprint = tls.fingerprint
    if (changed) for (const listener of listeners) listener(tls)
    return tls
  }

  /**
   * Another process may renew the leaf: the command line, or another package. Files that are complete and valid are served;
   * nothing is created here, or a connector that still runs would undo an uninstall.
   */
  function watchFiles(): () => void {
    try {
      const watcher = watch(folder.path, { persistent: false }, (_, name) => {
        // The files change one by one: the set is complete with the last.
        if (Object.values<string | null>(fileNames).includes(name)) void serveChangedFiles()
      })
      return () => watcher.close()
    } catch (error) {
      log.warn('changes of the certificate files are not noticed', { reason: errorText(error) })
      return () => undefined
    }
  }

  async function serveChangedFiles(): Promise<void> {
    try {
      const good = await files.readCurrent()
      if (good) serve(good.tls)
    } catch (error) {
      log.error('changed certificates cannot be used', { reason: errorText(error) })
    }
  }

  return {
    serve,
    /** Returns a function that stops the calls. */
    onChange(listener: (tls: TlsMaterial) => void): () => void {
      listeners.add(listener)
      const stop = watchFiles()
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
  }
}
