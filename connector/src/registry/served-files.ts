/** The certificates that the API of the same user keeps: read here, never made, so that the root's key stays where it is. */
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Certificates, TlsMaterial } from '../certs/certificates.ts'
import { fileNames } from '../pki/folder.ts'
import type { Log } from '../system/log.ts'

/** `ensure` throws while leaf and key are missing or do not belong together. */
export function servedFiles(
  folder: string,
  log: Pick<Log, 'warn'>,
): Pick<Certificates, 'ensure' | 'onChange'> {
  let served: string | undefined

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
      served = material.fingerprint
      return material
    },
    onChange(listener) {
      const watcher = watch(folder, { persistent: false }, async () => {
        try {
          const material = await read()
          if (material.fingerprint === served) return
          served = material.fingerprint
          listener(material)
        } catch {
          // Files come one by one: whichever is the last finds them complete.
        }
      })
      watcher.on('error', (error) =>
        log.warn('changes of the certificates are not seen', { reason: error.message }),
      )
      return () => watcher.close()
    },
  }
}

/** The host names and addresses that a certificate (PEM) carries, as requests write them. */
export const namesIn = (pem: string): ReadonlySet<string> =>
  new Set(
    (new X509Certificate(pem).subjectAltName ?? '').split(', ').map((entry) => {
      const text = entry.slice(entry.indexOf(':') + 1).toLowerCase()
      // Written out in full there, and short in requests (RFC 5952).
      return text.includes(':') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
    }),
  )
