/** The certificate files of the same user's API: read and watched here, never written, so that the root's key is not needed. */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Certificates, TlsMaterial } from '../certificates/certificates.ts'
import { fileNames } from '../pki/certificate-folder.ts'
import type { Log } from '../system/log.ts'

/** `ensure` throws while certificate or key is missing, or the key does not belong to the certificate. */
export function openReadOnlyCertificates(
  folder: string,
  log: Pick<Log, 'warn'>,
): Pick<Certificates, 'ensure' | 'onChange'> {
  let servedFingerprint: string | undefined

  async function read(): Promise<TlsMaterial> {
    const cert = await readFile(join(folder, fileNames.leafCert), 'utf8')
    const key = await readFile(join(folder, fileNames.leafKey), 'utf8')
    const leaf = new X509Certificate(cert)
    if (!leaf.checkPrivateKey(createPrivateKey(key))) {
      throw new Error(`Cannot serve: the key in "${folder}" does not belong to the certificate`)
    }
    const fingerprint = createHash('sha256').update(leaf.raw).digest('hex')
    return { cert, key, notAfter: Date.parse(leaf.validTo), fingerprint }
  }

  return {
    async ensure() {
      const material = await read()
      servedFingerprint = material.fingerprint
      return material
    },
    onChange(listener) {
      const watcher = watch(folder, { persistent: false }, async () => {
        try {
          const material = await read()
          if (material.fingerprint === servedFingerprint) return
          servedFingerprint = material.fingerprint
          listener(material)
        } catch {
          // The files are written one by one: the change of the last one finds the pair complete.
        }
      })
      watcher.on('error', (error) =>
        log.warn('changes of the certificates are not seen', { reason: error.message }),
      )
      return () => watcher.close()
    },
  }
}

/** The host names and addresses in a certificate (PEM), in the form that requests use. */
export const readCertificateNames = (pem: string): ReadonlySet<string> =>
  new Set(
    (new X509Certificate(pem).subjectAltName ?? '').split(', ').map((entry) => {
      const text = entry.slice(entry.indexOf(':') + 1).toLowerCase()
      // IPv6 addresses are written out in full there, and short in requests (RFC 5952).
      return text.includes(':') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
    }),
  )
