/** Reads X.509 certificates: as PEM, as JSON, their common names. */
import { X509Certificate } from 'node:crypto'
import { type CertificateJson, Problem } from '@cardwire/client/protocol'

/** The certificate as PEM, 64 characters a line (RFC 7468 §2), a line end at the end. Throws `input-invalid`. */
export function toPem(cert: string): string {
  const lines =
    read(cert)
      .raw.toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Throws `input-invalid`. */
export function toJson(cert: string): CertificateJson {
  const certificate = read(cert)
  return {
    version: versionOf(certificate.raw),
    serial: certificate.serialNumber.toUpperCase(),
    subject: named(certificate.subject),
    issuer: named(certificate.issuer),
  }
}

/** The common name of the subject, the most specific when there are several. Throws `input-invalid`. */
export const subjectCn = (cert: string) => commonName(read(cert).subject, 'subject')

/** The common name of the issuer, the most specific when there are several. Throws `input-invalid`. */
export const issuerCn = (cert: string) => commonName(read(cert).issuer, 'issuer')

const armour = /^-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----$/

function read(cert: string): X509Certificate {
  const text = cert.trim()
  const pem = armour.exec(text)
  if (!pem && text.includes('-----')) {
    throw refused('expected one certificate, but the PEM holds something else or more')
  }
  const base64 = (pem?.[1] ?? text).replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw refused('expected DER as base64, or PEM')
  const der = Buffer.from(base64, 'base64')
  const certificate = parse(der)
  if (certificate.raw.length !== der.length) {
    throw refused('expected one certificate, but something follows it')
  }
  return certificate
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw refused('expected an X.509 certificate, but it cannot be read')
  }
}

function refused(message: string): Problem {
  return new Problem('input-invalid', `Cannot read "cert": ${message}`, {
    errors: [{ path: 'cert', message }],
  })
}

/**
 * The version as people count it, which X509Certificate does not tell. Certificate and TBSCertificate are sequences; the
 * version comes first, tagged [0], and is left out when it is 1 (RFC 5280 §4.1).
 */
function versionOf(der: Buffer): number {
  const tbs = contentAt(der, contentAt(der, 0))
  const hasVersion = der[tbs] === 0xa0
  return hasVersion ? (der[tbs + 4] ?? 0) + 1 : 1
}

/** Where the content of the DER element at `at` begins: behind its tag and the length (X.690 §8.1.3). */
function contentAt(der: Buffer, at: number): number {
  const length = der[at + 1] ?? 0
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f)
}

/** An empty name is none at all in Bun 1.4, whatever the types say. */
type Name = string | undefined

/** The name in the form of RFC 4514 §2.1: the most specific part first. */
const named = (lines: Name) => partsOf(lines).toReversed().join(',')

/** Node writes one relative name a line, the least specific first, escaped as RFC 4514 §2.4 wants it. */
const partsOf = (lines: Name) => (lines ?? '').split('\n').filter(Boolean)

function commonName(lines: Name, whose: 'subject' | 'issuer'): string {
  // Parts of one relative name stand with ` + ` between them; a plus sign in a value is escaped.
  const values = partsOf(lines)
    .flatMap((part) => part.split(' + '))
    .filter((part) => part.startsWith('CN='))
    .map((part) => plain(part.slice('CN='.length)))
  const last = values.at(-1)
  if (last === undefined) throw refused(`expected a common name, but the ${whose} has none`)
  return last
}

/** Undoes `\,` and the like, and control characters written as two hex digits. */
const plain = (value: string) =>
  value.replaceAll(/\\([0-9A-Fa-f]{2}|.)/g, (_, escaped: string) =>
    escaped.length === 2 ? String.fromCodePoint(Number.parseInt(escaped, 16)) : escaped,
  )
