/** What a certificate (X.509) says about itself, as far as servers need it: names, purposes, dates. */
import type { X509Certificate } from 'node:crypto'
import { type DerNode, readChildren, readContextTag, readDer, readOctets, readOid } from './der.ts'

export interface CertificateFacts {
  /** `O=Example, CN=connector.example`. */
  readonly subject: string
  readonly issuer: string
  /** Host names and addresses among the subject alternative names, lower case; a wildcard replaces one label. */
  readonly names: readonly string[]
  /** Milliseconds since 1970, UTC. */
  readonly notBefore: number
  readonly notAfter: number
  /** For TLS servers, or for anything. */
  readonly forServers: boolean
}

/** RFC 5280 §4.2.1.6 and §4.2.1.12. */
const oids = { alternativeNames: '2.5.29.17', purposes: '2.5.29.37' }
/** id-kp-serverAuth and anyExtendedKeyUsage. */
const serverPurposes = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0']
/** The context tags of the extensions (RFC 5280 §4.1), and of a name that is a host or an address (§4.2.1.6). */
const tags = { extensions: 3, host: 2, address: 7 }

/** Throws KeystoreRefused where an extension has no known form. */
export function readCertificateFacts(certificate: X509Certificate): CertificateFacts {
  const extensions = listExtensions(readDer(certificate.raw))
  const purposes = extensions.get(oids.purposes)
  return {
    subject: toOneLine(certificate.subject),
    issuer: toOneLine(certificate.issuer),
    names: readNames(extensions.get(oids.alternativeNames)),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    forServers:
      purposes === undefined ||
      readChildren(purposes).some((purpose) => serverPurposes.includes(readOid(purpose))),
  }
}

/** By their identifiers. */
function listExtensions(certificate: DerNode): ReadonlyMap<string, DerNode> {
  const [signed] = readChildren(certificate)
  const list = readChildren(signed).find((part) => readContextTag(part) === tags.extensions)
  const extensions = list === undefined ? [] : readChildren(readChildren(list)[0])
  return new Map(
    extensions.map((extension) => {
      const [id, ...rest] = readChildren(extension)
      // The critical flag may stand between.
      return [readOid(id), readDer(readOctets(rest.at(-1)))]
    }),
  )
}

function readNames(list: DerNode | undefined): readonly string[] {
  if (list === undefined) return []
  return readChildren(list).flatMap((name) => {
    const tag = readContextTag(name)
    if (tag === tags.address) return toAddress(readOctets(name)) ?? []
    const host = tag === tags.host ? readOctets(name).toString('latin1').toLowerCase() : ''
    return isHost(host) ? [host] : []
  })
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** No number: that would be an address. */
function isHost(name: string): boolean {
  const labels = name.replace(/^\*\./, '').split('.')
  return (
    name.length <= 253 &&
    labels.every((each) => label.test(each)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}

/** IPv6 in its shortest spelling. */
function toAddress(bytes: Buffer): string | undefined {
  if (bytes.length === 4) return [...bytes].join('.')
  if (bytes.length !== 16) return undefined
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

const toOneLine = (name: string) => name.replaceAll('\n', ', ')
