/** Asks a responder for the status of a certificate, and verifies its answer (RFC 6960, RFC 9654). */
import { type Enumerated, type GeneralizedTime, OctetString } from 'asn1js'
import {
  BasicOCSPResponse,
  CertID,
  type Certificate,
  Extension,
  OCSPRequest,
  OCSPResponse,
  RelativeDistinguishedNames,
  type SingleResponse,
} from 'pkijs'
import { isEqual } from '../der.ts'
import {
  allowsUsage,
  copy,
  engine,
  hasExtension,
  hasPurpose,
  hasUnknownCritical,
  isIssuedBy,
  isValidAt,
  keyUsages,
  readExtension,
  readStructure,
  verifySignature,
} from './certificate.ts'
import {
  type CertificateStatus,
  nameReason,
  requireCurrent,
  requireKept,
  type StatusTimes,
  StatusUnknownError,
} from './status.ts'

const oids = {
  basicResponse: '1.3.6.1.5.5.7.48.1.1',
  nonce: '1.3.6.1.5.5.7.48.1.2',
  noCheck: '1.3.6.1.5.5.7.48.1.5',
  archiveCutoff: '1.3.6.1.5.5.7.48.1.6',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
} as const

/** OCSPResponseStatus (RFC 6960 §4.2.1). */
const responseStatuses: Readonly<Record<number, string>> = {
  1: 'malformedRequest',
  2: 'internalError',
  3: 'tryLater',
  5: 'sigRequired',
  6: 'unauthorized',
}

/** The tags of CertStatus (RFC 6960 §4.2.1). */
const statusTags = { good: 0, revoked: 1 } as const

/** Hashes of names and keys, none of which has to resist a collision: a CA chose both. */
const idHashes: readonly string[] = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']

/** Certificates in a response that are tried as its signer's. */
const maxSigners = 4
const nonceBytes = 32

/** The certificate whose status is asked for. */
export interface StatusSubject {
  readonly certificate: Certificate
  readonly issuer: Certificate
}

export interface OcspExpectations extends StatusSubject {
  readonly times: StatusTimes
  /** The value of the nonce in the request; undefined: the response was not requested. */
  readonly nonce: Uint8Array | undefined
  readonly requireNonce: boolean
  /** The status of a responder's own certificate, by a list of its issuer. */
  readonly checkResponder: (responder: Certificate) => Promise<CertificateStatus>
}

/** A request in DER with a new nonce, and the value that its answer has to repeat. */
export async function makeOcspRequest({
  certificate,
  issuer,
}: StatusSubject): Promise<{ readonly der: ArrayBuffer; readonly nonce: Uint8Array }> {
  const request = new OCSPRequest()
  // SHA-1: some responders know no other hash. It only names the issuer (RFC 5019 §2.1.1).
  const parameters = { hashAlgorithm: 'SHA-1', issuerCertificate: issuer }
  await request.createForCertificate(certificate, parameters, engine)
  const random = globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes))
  const nonce = new OctetString({ valueHex: random }).toBER()
  request.tbsRequest.requestExtensions = [new Extension({ extnID: oids.nonce, extnValue: nonce })]
  return { der: request.toSchema(true).toBER(), nonce: new Uint8Array(nonce) }
}

/** The status in an OCSPResponse. Rejects with a `StatusUnknownError` where it has none that can be used. */
export async function readOcspResponse(
  der: Uint8Array,
  expected: OcspExpectations,
): Promise<CertificateStatus> {
  const { responseStatus, responseBytes } = parse(
    () => new OCSPResponse({ schema: readStructure(der) }),
  )
  const code = responseStatus.valueBlock.valueDec
  if (code !== 0) throw new StatusUnknownError(`it says ${responseStatuses[code] ?? code}`)
  if (responseBytes?.responseType !== oids.basicResponse)
    throw new StatusUnknownError('it is not a basic response')
  return readBasicResponse(responseBytes.response.valueBlock.valueHexView, expected)
}

/** The status in a BasicOCSPResponse, as signatures keep it. */
export async function readBasicResponse(
  der: Uint8Array,
  expected: OcspExpectations,
): Promise<CertificateStatus> {
  const response = parse(() => new BasicOCSPResponse({ schema: readStructure(der) }))
  const { responses, responseExtensions } = response.tbsResponseData
  if (hasUnknownCritical(responseExtensions, [oids.nonce]))
    throw new StatusUnknownError('it has an unknown critical extension')
  requireNonce(responseExtensions, expected)
  await requireSigner(response, expected)
  const own: SingleResponse[] = []
  for (const single of responses) if (await isAbout(single, expected)) own.push(single)
  const [single] = own
  if (single === undefined) throw new StatusUnknownError('it is about another certificate')
  if (own.length > 1) throw new StatusUnknownError('it has two statuses of the certificate')
  return readStatus(single, expected)
}

function parse<Value>(read: () => Value): Value {
  try {
    return read()
  } catch {
    throw new StatusUnknownError('it cannot be read')
  }
}

/** Responders that prepare their answers leave the nonce out: then the times of the answer count (RFC 9654 §2.1). */
function requireNonce(
  extensions: readonly Extension[] | undefined,
  { nonce, requireNonce: isRequired }: OcspExpectations,
): void {
  if (nonce === undefined) return
  const answered = extensions?.find(({ extnID }) => extnID === oids.nonce)?.extnValue
  if (answered === undefined) {
    if (isRequired) throw new StatusUnknownError('it has no nonce')
  } else if (!isEqual(answered.valueBlock.valueHexView, nonce))
    throw new StatusUnknownError('it has the nonce of another request')
}

/** The issuer itself signs, or a responder that it directly authorized for this (RFC 6960 §4.2.2.2). */
async function requireSigner(
  response: BasicOCSPResponse,
  expected: OcspExpectations,
): Promise<void> {
  const { issuer, checkResponder } = expected
  const { tbsResponseData, signatureAlgorithm, signature, certs = [] } = response
  const signed = { data: tbsResponseData.tbsView, algorithm: signatureAlgorithm, signature }
  if (await verifySignature(signed, issuer.subjectPublicKeyInfo)) return
  let cause = 'its signer is not the issuer, nor authorized by it'
  const candidates: Certificate[] = []
  for (const one of certs) if (await isNamed(response, one)) candidates.push(one)
  for (const responder of candidates.slice(0, maxSigners)) {
    if (!(await verifySignature(signed, responder.subjectPublicKeyInfo))) continue
    if (!(await isIssuedBy(responder, issuer))) continue
    const fault = findResponderFault(responder, tbsResponseData.producedAt, expected.times)
    if (fault !== undefined) cause = fault
    else if (hasExtension(responder, oids.noCheck)) return
    else {
      const { status } = await checkResponder(responder)
      if (status === 'good') return
      cause = 'the certificate of its responder was revoked'
    }
  }
  throw new StatusUnknownError(cause)
}

function findResponderFault(
  responder: Certificate,
  producedAt: Date,
  { at }: StatusTimes,
): string | undefined {
  if (!hasPurpose(responder, oids.ocspSigning) || hasUnknownCritical(responder.extensions))
    return 'its responder is not authorized for OCSP'
  if (!allowsUsage(responder, keyUsages.digitalSignature))
    return 'the key of its responder is not for signatures'
  // An answer that was kept is of after the use; one of today may be a few days old.
  const isValid = isValidAt(responder, producedAt > at ? producedAt : at)
  return isValid ? undefined : 'the certificate of its responder is not valid at that time'
}

/** Whether the response names this certificate as its signer's, by name or by key (RFC 6960 §4.2.2.3). */
async function isNamed(
  { tbsResponseData: { responderID } }: BasicOCSPResponse,
  { subject, subjectPublicKeyInfo }: Certificate,
): Promise<boolean> {
  if (responderID instanceof RelativeDistinguishedNames) return subject.isEqual(responderID)
  const key = subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView
  const hash = await globalThis.crypto.subtle.digest('SHA-1', copy(key))
  return isEqual(new Uint8Array(hash), responderID.valueBlock.valueHexView)
}

/** Whether a status is of this certificate: the hashes of its issuer's name and key, and its serial number (RFC 6960 §4.1.1). */
async function isAbout(
  { certID }: SingleResponse,
  { certificate, issuer }: StatusSubject,
): Promise<boolean> {
  const algorithm = engine.getAlgorithmByOID(certID.hashAlgorithm.algorithmId)
  const name = 'name' in algorithm ? algorithm.name : undefined
  if (name === undefined || !idHashes.includes(name)) return false
  const parameters = { hashAlgorithm: name, issuerCertificate: issuer }
  return certID.isEqual(await CertID.create(certificate, parameters, engine))
}

/** What PKI.js leaves unparsed of `certStatus`. */
interface CertStatus {
  readonly idBlock: { readonly tagNumber: number }
  readonly valueBlock: {
    readonly value?: readonly [
      GeneralizedTime?,
      { readonly valueBlock: { readonly value: readonly Enumerated[] } }?,
    ]
  }
}

function readStatus(
  { certStatus, thisUpdate, nextUpdate, singleExtensions }: SingleResponse,
  { certificate, times }: OcspExpectations,
): CertificateStatus {
  if (hasUnknownCritical(singleExtensions, [oids.archiveCutoff]))
    throw new StatusUnknownError('it has an unknown critical extension')
  requireCurrent({ thisUpdate, nextUpdate }, times)
  const updates = { thisUpdate, ...(nextUpdate && { nextUpdate }) }
  const { idBlock, valueBlock } = certStatus as CertStatus
  if (idBlock.tagNumber === statusTags.good) {
    const kept = readExtension<GeneralizedTime>(singleExtensions, oids.archiveCutoff)?.toDate()
    requireKept(thisUpdate, certificate.notAfter.value, kept)
    return { status: 'good', source: 'ocsp', ...updates }
  }
  if (idBlock.tagNumber !== statusTags.revoked)
    throw new StatusUnknownError('the responder does not know the certificate')
  const [time, reason] = valueBlock.value ?? []
  const code = reason?.valueBlock.value[0]?.valueBlock.valueDec
  return {
    status: 'revoked',
    source: 'ocsp',
    ...updates,
    ...(time && { revokedAt: time.toDate() }),
    ...(code !== undefined && { reason: nameReason(code) }),
  }
}
