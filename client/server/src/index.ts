/** For back ends, on Node, Bun, Deno and Workers: application tokens for the API key of a label, and the check of users' tokens. */

import { abortable } from '@cardwire/protocol/abortable'
import { CallFailure, type ClientOperation, callOperation } from '@cardwire/protocol/call'
import { findSkippedChecks } from '@cardwire/protocol/certificate-checks'
import { readClaims } from '@cardwire/protocol/claims'
import { isLoopbackHost } from '@cardwire/protocol/loopback'
import type { applicationToken } from '@cardwire/protocol/token'
import { string } from '@cardwire/protocol/validators'
import { requireRuntime } from './require-runtime.ts'
import { createSharedCall } from './shared-call.ts'

export { type Authentication, verifyAuthentication } from './authentication.ts'
export { AuthenticationError, type AuthenticationFailure } from './authentication-error.ts'
export type { AuthenticationOptions } from './authentication-options.ts'
export type { Subject } from './certificate-subject.ts'
export type { LaterChanges } from './pdf/compare-revisions.ts'
export { completePdfSignature } from './pdf/complete-pdf-signature.ts'
export type { PageRectangle } from './pdf/pages.ts'
export { PdfSignatureError, type PdfSignatureFailure } from './pdf/pdf-error.ts'
export { type PreparedPdfSignature, preparePdfSignature } from './pdf/prepare-pdf-signature.ts'
export type { PdfAppearance, PdfSignatureOptions } from './pdf/signature-options.ts'
export {
  type InvalidPdfSignature,
  type PdfSignature,
  type PdfSignatureRejection,
  type ValidPdfSignature,
  verifyPdfSignatures,
} from './pdf/verify-pdf-signatures.ts'
export {
  createRevocationChecker,
  type RevocationChecker,
  type RevocationCheckerOptions,
  type RevocationFailure,
  type RevocationResult,
} from './revocation/checker.ts'
export type { CmsSignature, CmsTrust } from './signatures/cms.ts'
export {
  type CompleteOptions,
  completeSignature,
  type PreparedSignature,
  type PrepareOptions,
  prepareSignature,
} from './signatures/prepare-signature.ts'
export type { TimestampService } from './signatures/request-timestamp.ts'
export type { SignatureHash } from './signatures/signature-algorithms.ts'
export { SignatureError, type SignatureFailure } from './signatures/signature-error.ts'
export type { Timestamp } from './signatures/timestamp-token.ts'
export {
  type CmsSignatureOptions,
  type CmsSignatureResult,
  verifyCmsSignature,
} from './signatures/verify-cms-signature.ts'
export {
  type SignatureOptions,
  type SignatureResult,
  verifySignature,
} from './signatures/verify-signature.ts'
export type { CertificateSource, TrustOptions } from './trust-options.ts'

requireRuntime()

/** Where the tokens come from, and the application's API key. */
export interface ApplicationTokensOptions {
  /** The distribution service, such as `https://ds.example.com`; plain http only for this computer, or with your own `fetch`. */
  readonly dsUrl: string
  /** The application's API key. It never leaves the back end. */
  readonly apiKey: string
  /** Default: the runtime's `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Returns milliseconds since 1970; default: the runtime's clock. */
  readonly clock?: (() => number) | undefined
}

/** The tokens of one application. */
export interface ApplicationTokens {
  /** A token that is valid for at least a minute: the last one, or a new one. Simultaneous calls get the same token. */
  token(options?: { readonly signal?: AbortSignal | undefined }): Promise<string>
}

/** Why there is no token. */
export type TokenFailure =
  | 'in-browser'
  | 'settings-invalid'
  | 'api-key-refused'
  | 'too-many-requests'
  | 'unreachable'
  | 'timeout'
  | 'refused'
  | 'answer-malformed'

/** What `token()` rejects with. `reason` is for the back end. */
export class ApplicationTokenError extends Error {
  override readonly name = 'ApplicationTokenError'
  readonly reason: TokenFailure

  constructor(reason: TokenFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Milliseconds before its expiry at which a token is no longer given to pages. */
const expiryMarginMs = 60_000
const timeoutMs = 10_000

const tokenOperation: ClientOperation<typeof applicationToken> = {
  method: 'GET',
  path: '/v3/tokens/application',
  access: 'api-key',
  data: string,
}

/** Throws in a browser, because anyone can read a key in a page. */
export function applicationTokens(options: ApplicationTokensOptions): ApplicationTokens {
  if (isBrowser()) {
    throw new ApplicationTokenError(
      'in-browser',
      'Cannot exchange an API key in a browser: do it on a server, and give the page the token',
    )
  }
  const { apiKey, fetch = globalThis.fetch, clock = Date.now } = options
  const address = readDsUrl(options)
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new ApplicationTokenError('settings-invalid', 'Cannot use apiKey: expected a UUID')
  }
  let cachedToken:
    | { readonly jwt: string; readonly from: number; readonly until: number }
    | undefined

  const fetchToken = createSharedCall(async (): Promise<string> => {
    const fault = findSkippedChecks(readEnvironment())
    // A fetch of the back end's own may verify certificates all the same.
    if (fault !== undefined && options.fetch === undefined && /^https:/i.test(address))
      throw new ApplicationTokenError('settings-invalid', `Cannot send the API key: ${fault}`)
    const requestedAt = clock()
    const init: RequestInit = {
      headers: { apikey: apiKey },
      signal: AbortSignal.timeout(timeoutMs),
    }
    const { data: jwt } = await callOperation(tokenOperation, {}, { fetch, address, init }).catch(
      (error) => {
        throw toTokenError(error, address)
      },
    )
    const { iat, exp } = readClaims(jwt)
    if (typeof iat !== 'number' || typeof exp !== 'number') {
      throw new ApplicationTokenError(
        'answer-malformed',
        `Cannot use the token of ${address}: it has no expiry`,
      )
    }
    // Its lifetime on our own clock: `iat` and `exp` are times on the clock of the service.
    const until = requestedAt + (exp - iat) * 1000 - expiryMarginMs
    cachedToken = { jwt, from: requestedAt, until }
    return jwt
  })

  return {
    async token({ signal } = {}) {
      signal?.throwIfAborted()
      const now = clock()
      // After the clock was set back, an expired token would otherwise be given until then.
      if (cachedToken && cachedToken.from <= now && now < cachedToken.until) return cachedToken.jwt
      return abortable(fetchToken(), signal)
    },
  }
}

function toTokenError(error: unknown, address: string): ApplicationTokenError {
  if (!(error instanceof CallFailure)) {
    const message = `Cannot read the response of ${address}`
    return new ApplicationTokenError('answer-malformed', message, error)
  }
  const { kind, details, cause } = error
  const prefix = `Cannot get a token from ${address}`
  const timedOut = [cause, error].some((one) => one instanceof Error && one.name === 'TimeoutError')
  if (timedOut) return new ApplicationTokenError('timeout', `${prefix}: it took too long`, error)
  if (kind === 'unanswered') {
    return new ApplicationTokenError('unreachable', `${prefix}: it cannot be reached`, error)
  }
  if (!details)
    return new ApplicationTokenError('answer-malformed', `${prefix}: ${error.message}`, error)
  const knownReason = (['api-key-refused', 'too-many-requests'] as const).find(
    (name) => name === details.problem,
  )
  return new ApplicationTokenError(
    knownReason ?? 'refused',
    `${prefix}: ${details.description}`,
    error,
  )
}

/** Everybody on the way reads what goes over plain http; a fetch of the back end's own may go another way. */
function readDsUrl({ dsUrl, fetch }: ApplicationTokensOptions): string {
  if (typeof dsUrl === 'string' && /^https?:\/\/[^?#@\s]+$/i.test(dsUrl) && URL.canParse(dsUrl)) {
    const { protocol, hostname } = new URL(dsUrl)
    if (protocol === 'https:' || isLoopbackHost(hostname) || fetch !== undefined)
      return dsUrl.replace(/\/+$/, '')
  }
  throw new ApplicationTokenError('settings-invalid', 'Cannot use dsUrl: expected an https address')
}

/** The user agent of a server runtime is its name (`Node.js/24`, `Deno/2`, `Bun/1`, `Cloudflare-Workers`); a browser's begins with Mozilla. */
const isBrowser = (): boolean => {
  const { document, navigator } = globalThis as {
    readonly document?: unknown
    readonly navigator?: { readonly userAgent?: string }
  }
  return document !== undefined || navigator?.userAgent?.startsWith('Mozilla/') === true
}

function readEnvironment(): Readonly<Record<string, unknown>> {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, unknown>> }
  }
  try {
    return { NODE_TLS_REJECT_UNAUTHORIZED: process?.env?.['NODE_TLS_REJECT_UNAUTHORIZED'] }
  } catch {
    // Deno without the permission to read it does not read it for its connections either.
    return {}
  }
}
