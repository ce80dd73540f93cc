/** Reads X.509 certificates: converts them to PEM and JSON, and finds their common names. */
import { X509Certificate } from 'node:crypto'
import type { CertificateJson } from '@cardwire/protocol/module'
import { Problem } from '@cardwire/protocol/problem'

/** The certificate as PEM, 64 characters per line (RFC 7468 §2), with a final line end. Throws `input-invalid`. */
export function toPem(cert: string): string {
  const lines =
    readCertificate(cert)
      .raw.toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Throws `input-invalid`. */
export function toJson(cert: string): CertificateJson {
  const certificate = readCertificate(cert)
  return {
    version: readVersion(certificate.raw),
    serial: certificate.serialNumber.toUpperCase(),
    subject: formatName(certificate.subject),
    issuer: formatName(certificate.issuer),
  }
}

/** The common name of the subject, the most specific when there are several. Throws `input-invalid`. */
export const subjectCn = (cert: string) => readCommonName(readCertificate(cert).subject, 'subject')

/** The common name of the issuer, the most specific when there are several. Throws `input-invalid`. */
export const issuerCn = (cert: string) => readCommonName(readCertificate(cert).issuer, 'issuer')

const pemPattern = /^-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----$/

function readCertificate(cert: string): X509Certificate {
  const text = cert.trim()
  const pem = pemPattern.exec(text)
  if (!pem && text.includes('-----')) {
    throw invalidInput('expected one certificate, but the PEM holds something else or more')
  }
  const base64 = (pem?.[1] ?? text).replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw invalidInput('expected DER as base64, or PEM')
  const der = Buffer.from(base64, 'base64')
  const certificate = parseDer(der)
  if (certificate.raw.length !== der.length) {
    throw invalidInput('expected one certificate, but something follows it')
  }
  return certificate
}

function parseDer(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch {
    throw invalidInput('expected an X.509 certificate, but it cannot be read')
  }
}

function invalidInput(message: string): Problem {
  return new Problem('input-invalid', `Cannot read "cert": ${message}`, {
    errors: [{ path: 'cert', message }],
  })
}

/**
 * The version, 1 to 3, which X509Certificate does not have. Certificate and TBSCertificate are sequences; the version
 * comes first, tagged [0], and is absent when it is 1 (RFC 5280 §4.1).
 */
function readVersion(der: Buffer): number {
  const tbs = findContent(der, findContent(der, 0))
  const hasVersion = der[tbs] === 0xa0
  return hasVersion ? (der[tbs + 4] ?? 0) + 1 : 1
}

/** The index of the content of the DER element at `at`: after its tag and length (X.690 §8.1.3). */
function findContent(der: Buffer, at: number): number {
  const length = der[at + 1] ?? 0
  return at + 2 + (length < 0x80 ? 0 : length & 0x7f)
}

/** Bun 1.4 returns undefined for an empty name, against its types. */
type Name = string | undefined

/** The name in the form of RFC 4514 §2.1: the most specific part first. */
const formatName = (lines: Name) => splitName(lines).toReversed().join(',')

/** Node writes one relative name per line, the least specific first, escaped as in RFC 4514 §2.4. */
const splitName = (lines: Name) => (lines ?? '').split('\n').filter(Boolean)

function readCommonName(lines: Name, owner: 'subject' | 'issuer'): string {
  // The parts of one relative name are separated by ` + `; a plus sign in a value is escaped.
  const values = splitName(lines)
    .flatMap((part) => part.split(' + '))
    .filter((part) => part.startsWith('CN='))
    .map((part) => unescapeValue(part.slice('CN='.length)))
  const last = values.at(-1)
  if (last === undefined) throw invalidInput(`expected a common name, but the ${owner} has none`)
  return last
}

/** Removes escapes: a backslash before a character, and control characters as two hex digits. */
const unescapeValue = (value: string) =>
  value.replaceAll(/\\([0-9A-Fa-f]{2}|.)/g, (_, escaped: string) =>
    escaped.length === 2 ? String.fromCodePoint(Number.parseInt(escaped, 16)) : escaped,
  )
