/** The authorities whose cards the application accepts: certificates in a file, PEM. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isValidAt } from './user-certificate.ts'

export interface Authorities {
  /** The text of the file; undefined: it is not there, or nobody named one. */
  load(): Promise<string | undefined>
  /** The authority that signed this certificate, and is valid now; undefined: it is none of these. */
  findIssuer(certificate: X509Certificate): Promise<X509Certificate | undefined>
}

export function createAuthorities(file: string | undefined): Authorities {
  const load = async () => {
    const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '')
    return text || undefined
  }
  return {
    load,
    async findIssuer(certificate) {
      const blocks = (await load())?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END[^-]+-----/g)
      return blocks
        ?.map((pem) => new X509Certificate(pem))
        .find(
          (issuer) =>
            issuer.ca &&
            isValidAt(issuer, new Date()) &&
            certificate.checkIssued(issuer) &&
            certificate.verify(issuer.publicKey),
        )
    },
  }
}
