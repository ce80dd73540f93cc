/** Where the status of a certificate may be asked, and in which order: answers that came along, responders, then lists. */
import type { Certificate } from 'pkijs'
import { listCrlUrls, listOcspUrls } from './certificate.ts'
import { findInList, type RevocationList, readRevocationList } from './crl.ts'
import type { RevocationListCache } from './crl-cache.ts'
import { readPart, tags } from './der.ts'
import { download } from './download.ts'
import {
  makeOcspRequest,
  type OcspExpectations,
  readBasicResponse,
  readOcspResponse,
  type StatusSubject,
} from './ocsp.ts'
import type { OwnLists } from './own-lists.ts'
import type { RevocationSettings } from './settings.ts'
import { type CertificateStatus, type StatusTimes, StatusUnknownError } from './status.ts'

/** A place to ask, with its name for the log. */
interface StatusSource {
  readonly name: string
  readonly ask: () => Promise<CertificateStatus>
}

export interface SourceOptions {
  readonly times: StatusTimes
  readonly stapled: readonly Uint8Array[]
  /** The lists of the back end. */
  readonly own: OwnLists
  readonly settings: RevocationSettings
  readonly cache: RevocationListCache
}

/** Bytes of an OCSP response: one has up to about 5 kB, with the certificates of its signer. */
const maxOcspBytes = 65_536
const maxStapled = 20
/** The first part of an OCSPResponse. */
const enumerated = 0x0a

/** The first answer that can be used. Rejects with a `StatusUnknownError` with the cause of each source. */
export async function findStatus(
  subject: StatusSubject,
  options: SourceOptions,
): Promise<CertificateStatus> {
  const stapled = options.stapled
    .slice(0, maxStapled)
    .map((der) => ({ name: 'enclosed', ask: () => readStapled(der, subject, options) }))
  return askInTurn([
    ...stapled,
    ...listResponders(subject, options),
    ...listOwn(subject, options),
    ...listLists(subject, options),
  ])
}

async function askInTurn(sources: readonly StatusSource[]): Promise<CertificateStatus> {
  const causes = new Set<string>()
  for (const { name, ask } of sources) {
    try {
      return await ask()
    } catch (error) {
      const cause = error instanceof StatusUnknownError ? error.message : 'it cannot be read'
      causes.add(`${name}: ${cause}`)
    }
  }
  throw new StatusUnknownError([...causes].join('; ') || 'it names neither a responder nor a list')
}

function listResponders(subject: StatusSubject, options: SourceOptions): readonly StatusSource[] {
  const { settings } = options
  return listOcspUrls(subject.certificate).map((url) => ({
    name: `OCSP ${readHost(url)}`,
    async ask() {
      const { der, nonce } = await makeOcspRequest(subject)
      const init = {
        method: 'POST',
        headers: {
          'content-type': 'application/ocsp-request',
          accept: 'application/ocsp-response',
        },
        body: der,
      }
      const response = await load({ url, init, maxBytes: maxOcspBytes }, settings)
      return readOcspResponse(response, expect(subject, options, nonce))
    },
  }))
}

const listOwn = (
  subject: StatusSubject,
  { own, times }: SourceOptions,
): readonly StatusSource[] => [
  ...own.lists.map((der) => ({
    name: 'own list',
    ask: async () => findInList(await readRevocationList(der, subject.issuer), subject, times),
  })),
  ...(own.cause === undefined
    ? []
    : [
        {
          name: 'own lists',
          ask: () => Promise.reject(new StatusUnknownError(own.cause ?? '')),
        },
      ]),
]

/** The lists that a certificate names; one that was loaded for another certificate is used again. */
function listLists(
  subject: StatusSubject,
  { times, settings, cache }: SourceOptions,
): readonly StatusSource[] {
  const { certificate, issuer } = subject
  return listCrlUrls(certificate).map((url) => ({
    name: `CRL ${readHost(url)}`,
    async ask() {
      const list = await cache.get(`${url} ${await identify(issuer)}`, async () => {
        const request = { url, init: { method: 'GET' }, maxBytes: settings.maxCrlBytes }
        return readRevocationList(await load(request, settings), issuer)
      })
      return findInList(list, subject, times)
    },
  }))
}

async function readStapled(
  der: Uint8Array,
  subject: StatusSubject,
  options: SourceOptions,
): Promise<CertificateStatus> {
  const whole = readPart(der, 0, der.length)
  const first = readPart(der, whole.contentStart, whole.end)
  const expected = expect(subject, options, undefined)
  if (first.tag === enumerated) {
    requireSize(der, maxOcspBytes)
    return readOcspResponse(der, expected)
  }
  // ResponseData begins with [0], [1] or [2], TBSCertList with its version or algorithm.
  const inner = readPart(der, first.contentStart, first.end)
  if (inner.tag !== tags.integer && inner.tag !== tags.sequence) {
    requireSize(der, maxOcspBytes)
    return readBasicResponse(der, expected)
  }
  return findInList(await readStapledList(der, subject, options), subject, options.times)
}

/** As large as one that is requested. */
function readStapledList(
  der: Uint8Array,
  { issuer }: StatusSubject,
  { settings: { maxCrlBytes } }: SourceOptions,
): Promise<RevocationList> {
  requireSize(der, maxCrlBytes)
  return readRevocationList(der, issuer)
}

function requireSize({ length }: Uint8Array, maxBytes: number): void {
  if (length > maxBytes) throw new StatusUnknownError(`it is larger than ${maxBytes} bytes`)
}

function expect(
  { certificate, issuer }: StatusSubject,
  options: SourceOptions,
  nonce: Uint8Array | undefined,
): OcspExpectations {
  const { times, stapled, settings } = options
  return {
    ...{ certificate, issuer, times, nonce, requireNonce: settings.requireNonce },
    async checkResponder(responder) {
      const subject = { certificate: responder, issuer }
      const enclosed = stapled.slice(0, maxStapled).map((der) => ({
        name: 'enclosed',
        ask: async () => findInList(await readStapledList(der, subject, options), subject, times),
      }))
      return askInTurn([
        ...enclosed,
        ...listOwn(subject, options),
        ...listLists(subject, options),
      ]).catch((error) => {
        throw new StatusUnknownError(`its responder's own status is unknown: ${error.message}`)
      })
    },
  }
}

const load = (
  request: Parameters<typeof download>[0],
  { fetch, allowPrivateAddresses, timeoutMs }: RevocationSettings,
) => download(request, { fetch, allowPrivateAddresses, timeoutMs: Math.ceil(timeoutMs / 2) })

/** A list of one issuer is never used for another, whatever URL both name. */
async function identify({ tbsView }: Certificate): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(tbsView))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const readHost = (url: string): string => (URL.canParse(url) ? new URL(url).host.slice(0, 100) : '')
