/** Verifies a list of revoked certificates, and looks a certificate up (RFC 5280 §5, §6.3). */
import type { GeneralizedTime } from 'asn1js'
import {
  type Certificate,
  CertificateRevocationList,
  type IssuingDistributionPoint,
  RevokedCertificate,
} from 'pkijs'
import { sequence } from '../der.ts'
import {
  allowsUsage,
  copy,
  hasUnknownCritical,
  isAuthority,
  keyUsages,
  listCrlUrls,
  readExtension,
  readStructure,
  urlName,
  verifySignature,
} from './certificate.ts'
import { type Part, readPart, tags, walk } from './der.ts'
import type { StatusSubject } from './ocsp.ts'
import {
  type CertificateStatus,
  nameReason,
  requireCurrent,
  requireKept,
  type StatusTimes,
  StatusUnknownError,
} from './status.ts'

const oids = {
  reason: '2.5.29.21',
  deltaIndicator: '2.5.29.27',
  scope: '2.5.29.28',
  expiredCertificates: '2.5.29.60',
} as const

/** The critical extensions of an entry that are understood, in DER: reasonCode and invalidityDate (RFC 5280 §5.3). */
const understoodInEntries: readonly string[] = ['0603551d15', '0603551d18']

/** Bytes of a list without its entries; PKI.js reads each of its parts. */
const maxHeaderBytes = 65_536

/** A list that its issuer signed. */
export interface RevocationList {
  readonly bytes: Uint8Array
  /** Without its entries: PKI.js would make five objects of each, and stops at ten thousand. */
  readonly header: CertificateRevocationList
  /** Where the entries are in `bytes`; undefined: nothing is revoked. */
  readonly entries: Part | undefined
  readonly thisUpdate: Date
  readonly nextUpdate: Date
}

/**
 * Reads a list in DER, and verifies that it is complete, understood and signed by the issuer. Rejects with a `StatusUnknownError`. Delta and
 * indirect lists are refused. Its times are not checked.
 */
export async function readRevocationList(
  bytes: Uint8Array,
  issuer: Certificate,
): Promise<RevocationList> {
  const { list, signed } = parse(bytes)
  const { header } = list
  const { signature, signatureAlgorithm: algorithm, signatureValue } = header
  const extensions = header.crlExtensions?.extensions
  if (extensions?.some(({ extnID }) => extnID === oids.deltaIndicator))
    throw new StatusUnknownError('it has only changes')
  if (hasUnknownCritical(extensions, [oids.scope]))
    throw new StatusUnknownError('it has an unknown critical extension')
  if (!header.issuer.isEqual(issuer.subject))
    throw new StatusUnknownError('it is of another issuer')
  if (!allowsUsage(issuer, keyUsages.cRLSign))
    throw new StatusUnknownError('its issuer may not sign lists')
  const isSigned =
    signature.algorithmId === algorithm.algorithmId &&
    (await verifySignature(
      { data: signed, algorithm, signature: signatureValue },
      issuer.subjectPublicKeyInfo,
    ))
  if (!isSigned) throw new StatusUnknownError('its issuer did not sign it')
  requireEntries(list)
  return list
}

/** The status of a certificate of the list's issuer. Throws a `StatusUnknownError` where the list does not tell. */
export function findInList(
  list: RevocationList,
  { certificate }: Pick<StatusSubject, 'certificate'>,
  times: StatusTimes,
): CertificateStatus {
  const { thisUpdate, nextUpdate, header } = list
  requireCurrent(list, times)
  requireScope(list, certificate)
  const entry = findEntry(list, certificate.serialNumber.valueBlock.valueHexView)
  const updates = { source: 'crl', thisUpdate, nextUpdate } as const
  if (entry === undefined) {
    const extensions = header.crlExtensions?.extensions
    const kept = readExtension<GeneralizedTime>(extensions, oids.expiredCertificates)?.toDate()
    requireKept(thisUpdate, certificate.notAfter.value, kept)
    return { status: 'good', ...updates }
  }
  const { revocationDate, crlEntryExtensions } = entry
  const reason = readExtension<{ valueBlock: { valueDec: number } }>(
    crlEntryExtensions?.extensions,
    oids.reason,
  )
  return {
    status: 'revoked',
    ...updates,
    revokedAt: revocationDate.value,
    ...(reason && { reason: nameReason(reason.valueBlock.valueDec) }),
  }
}

function parse(bytes: Uint8Array): { readonly list: RevocationList; readonly signed: Uint8Array } {
  try {
    const whole = readPart(bytes, 0, bytes.length)
    const [signed, ...rest] = walk(bytes, whole.contentStart, whole.end)
    if (signed?.tag !== tags.sequence || whole.end !== bytes.length) throw new Error('not a list')
    const parts = [...walk(bytes, signed.contentStart, signed.end)]
    const isTime = ({ tag }: Part) => tag === tags.utcTime || tag === tags.generalizedTime
    const entries = parts.find(
      ({ tag }, at) => tag === tags.sequence && parts.slice(0, at).some(isTime),
    )
    const cut = ({ start, end }: Part) => bytes.subarray(start, end)
    const others = sequence(...parts.filter((part) => part !== entries).map(cut))
    const short = sequence(others, ...rest.map(cut))
    if (short.length > maxHeaderBytes) throw new Error('not a list')
    const header = new CertificateRevocationList({ schema: readStructure(short) })
    const { thisUpdate, nextUpdate } = header
    if (nextUpdate === undefined) throw new Error('no next update')
    return {
      list: { bytes, header, entries, thisUpdate: thisUpdate.value, nextUpdate: nextUpdate.value },
      signed: cut(signed),
    }
  } catch {
    throw new StatusUnknownError('it cannot be read')
  }
}

/** Throws unless the list would have an entry of the certificate (RFC 5280 §6.3.3 b). */
function requireScope({ header }: RevocationList, certificate: Certificate): void {
  const extensions = header.crlExtensions?.extensions
  if (!extensions?.some(({ extnID }) => extnID === oids.scope)) return
  const scope = readExtension<IssuingDistributionPoint>(extensions, oids.scope)
  const isPartial =
    scope === undefined ||
    scope.indirectCRL ||
    scope.onlyContainsAttributeCerts ||
    scope.onlySomeReasons !== undefined
  if (isPartial) throw new StatusUnknownError('it is indirect or partial')
  const isOther = isAuthority(certificate) ? scope.onlyContainsUserCerts : scope.onlyContainsCACerts
  if (isOther) throw new StatusUnknownError('it is for other kinds of certificates')
  const { distributionPoint } = scope
  if (distributionPoint === undefined) return
  const urls = listCrlUrls(certificate)
  const isOwn =
    Array.isArray(distributionPoint) &&
    distributionPoint.some(({ type, value }) => type === urlName && urls.includes(value))
  if (!isOwn) throw new StatusUnknownError('it is of another distribution point')
}

/** The entry with a serial number. */
function findEntry(
  { bytes, entries }: RevocationList,
  serialNumber: Uint8Array,
): RevokedCertificate | undefined {
  if (entries === undefined) return undefined
  const wanted = trimZeros(serialNumber)
  for (const entry of walk(bytes, entries.contentStart, entries.end)) {
    const serial = readPart(bytes, entry.contentStart, entry.end)
    if (isAt(bytes, serial, wanted))
      return RevokedCertificate.fromBER(copy(bytes.subarray(entry.start, entry.end)))
  }
  return undefined
}

/** Throws where any entry has a critical extension that is not understood (RFC 5280 §5.3), or cannot be read. */
function requireEntries({ bytes, entries }: RevocationList): void {
  if (entries === undefined) return
  try {
    for (const entry of walk(bytes, entries.contentStart, entries.end)) {
      const serial = readPart(bytes, entry.contentStart, entry.end)
      const time = readPart(bytes, serial.end, entry.end)
      if (entry.tag !== tags.sequence || serial.tag !== tags.integer) throw new Error('no entry')
      if (time.end < entry.end) requireUnderstood(bytes, time.end, entry.end)
    }
  } catch (error) {
    if (error instanceof StatusUnknownError) throw error
    throw new StatusUnknownError('it cannot be read')
  }
}

function requireUnderstood(bytes: Uint8Array, start: number, limit: number): void {
  const extensions = readPart(bytes, start, limit)
  for (const { contentStart, end } of walk(bytes, extensions.contentStart, extensions.end)) {
    const identifier = readPart(bytes, contentStart, end)
    const critical = readPart(bytes, identifier.end, end)
    if (critical.tag !== tags.boolean || bytes[critical.contentStart] === 0) continue
    const hex = Array.from(bytes.subarray(identifier.start, identifier.end), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
    if (!understoodInEntries.includes(hex))
      throw new StatusUnknownError('an entry has an unknown critical extension')
  }
}

/** Some CAs write a number with more zeros in front in one place than in the other. */
const trimZeros = (bytes: Uint8Array): Uint8Array => {
  const first = bytes.findIndex((byte) => byte !== 0)
  return bytes.subarray(first === -1 ? bytes.length : first)
}

function isAt(bytes: Uint8Array, { contentStart, end }: Part, wanted: Uint8Array): boolean {
  let start = contentStart
  while (start < end && bytes[start] === 0) start += 1
  if (end - start !== wanted.length) return false
  for (let at = 0; at < wanted.length; at += 1) if (bytes[start + at] !== wanted[at]) return false
  return true
}
