/** What a TLS server needs from a keystore: one key with its certificate, the chain, and the names. */
import type { X509Certificate } from 'node:crypto'
import { KeystoreRefused } from '../../../../pkcs12/keystore-refused.ts'
import type { Pkcs12Contents } from '../../../../pkcs12/open-pkcs12.ts'
import { findServerIdentity } from '../../../../pkcs12/server-identity.ts'

export interface ServerMaterial {
  /** The certificate and its intermediates, PEM. */
  readonly cert: string
  /** PKCS#8, PEM. It leaves the process only for a file that its owner alone can read. */
  readonly key: string
  /** Host names and addresses, lower case; a wildcard replaces one label. */
  readonly names: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly notAfter: number
}

/** `now` is milliseconds since 1970. Throws KeystoreRefused. */
export function toServerMaterial(contents: Pkcs12Contents, now: number): ServerMaterial {
  const { key, certificate, others, facts } = findServerIdentity(contents, now)
  if (facts.notBefore > now) {
    const begin = new Date(facts.notBefore).toISOString()
    throw new KeystoreRefused(`its certificate is not valid before ${begin}`)
  }
  return {
    cert: [certificate, ...buildChain(certificate, others)].map(toPem).join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    names: facts.names,
    notAfter: facts.notAfter,
  }
}

/** From issuer to issuer, without the root: browsers have it. */
function buildChain(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  for (let last = leaf; ; ) {
    const issuer = others.find((one) => !chain.includes(one) && isIssuer(one, last))
    if (issuer === undefined || isIssuer(issuer, issuer)) return chain
    chain.push(issuer)
    last = issuer
  }
}

const isIssuer = (issuer: X509Certificate, of: X509Certificate) =>
  of.issuer === issuer.subject && of.verify(issuer.publicKey)

const toPem = (certificate: X509Certificate) => `${certificate.toString().trimEnd()}\n`
