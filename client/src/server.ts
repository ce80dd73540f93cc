/** For back ends: exchanges the API key of a label for application tokens. Node, Bun, Deno and Workers have all it needs. */
import { type Callable, CallFailure, call } from './protocol/call.ts'
import type { applicationToken } from './protocol/token.ts'
import { text } from './shape.ts'
import { claimsOf } from './token.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface ApplicationTokensOptions {
  /** The distribution service, such as `https://ds.example.com`. */
  readonly dsUrl: string
  /** The API key of the label. It never leaves the back end. */
  readonly apiKey: string
  /** Default: the runtime's own. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Milliseconds since 1970; default: the runtime's own. */
  readonly clock?: (() => number) | undefined
}

export interface ApplicationTokens {
  /** A token that holds for a minute at least: the last one, or another; who asks at the same time gets the same. */
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

export class ApplicationTokenError extends Error {
  override readonly name = 'ApplicationTokenError'
  readonly reason: TokenFailure

  constructor(reason: TokenFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Milliseconds before its end at which a token is no longer handed out. */
const marginMs = 60_000
const timeoutMs = 10_000

const exchange: Callable<typeof applicationToken> = {
  method: 'GET',
  path: '/v3/tokens/application',
  access: 'api-key',
  data: text,
}

/** Throws in a browser: whoever has the key has the label, and a page hides nothing. */
export function applicationTokens(options: ApplicationTokensOptions): ApplicationTokens {
  if (inBrowser()) {
    throw new ApplicationTokenError(
      'in-browser',
      'Cannot exchange an API key in a browser: do it on a server, and give the page the token',
    )
  }
  const { apiKey, fetch = globalThis.fetch, clock = Date.now } = options
  const address = addressOf(options.dsUrl)
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new ApplicationTokenError('settings-invalid', 'Cannot use apiKey: expected a UUID')
  }
  let held: { readonly jwt: string; readonly until: number } | undefined
  let coming: Promise<string> | undefined

  const fetchToken = async (): Promise<string> => {
    const asked = clock()
    const init = { headers: { apikey: apiKey }, signal: AbortSignal.timeout(timeoutMs) }
    const { data: jwt } = await call(exchange, {}, { fetch, address, init }).catch((error) => {
      throw failureOf(error, address)
    })
    const { iat, exp } = claimsOf(jwt)
    if (typeof iat !== 'number' || typeof exp !== 'number') {
      throw new ApplicationTokenError(
        'answer-malformed',
        `Cannot use the token of ${address}: it does not say when it ends`,
      )
    }
    // Counted from our own clock: what it says of itself is true on the clock of the service.
    held = { jwt, until: asked + (exp - iat) * 1000 - marginMs }
    return jwt
  }

  return {
    async token({ signal } = {}) {
      signal?.throwIfAborted()
      if (held && clock() < held.until) return held.jwt
      coming ??= fetchToken().finally(() => {
        coming = undefined
      })
      return unlessAborted(coming, signal)
    },
  }
}

function failureOf(error: unknown, address: string): unknown {
  if (!(error instanceof CallFailure)) return error
  const { kind, refusal, cause } = error
  const at = `Cannot get a token from ${address}`
  const timedOut = [cause, error].some((one) => one instanceof Error && one.name === 'TimeoutError')
  if (timedOut) return new ApplicationTokenError('timeout', `${at}: it took too long`, error)
  if (kind === 'unanswered') {
    return new ApplicationTokenError('unreachable', `${at}: it cannot be reached`, error)
  }
  if (!refusal)
    return new ApplicationTokenError('answer-malformed', `${at}: ${error.message}`, error)
  const known = (['api-key-refused', 'too-many-requests'] as const).find(
    (name) => name === refusal.problem,
  )
  return new ApplicationTokenError(known ?? 'refused', `${at}: ${refusal.description}`, error)
}

function addressOf(dsUrl: string): string {
  if (typeof dsUrl === 'string' && /^https?:\/\/[^?#@\s]+$/i.test(dsUrl) && URL.canParse(dsUrl)) {
    return dsUrl.replace(/\/+$/, '')
  }
  throw new ApplicationTokenError('settings-invalid', 'Cannot use dsUrl: expected an https address')
}

/** Servers name themselves (`Node.js/24`, `Deno/2`, `Bun/1`, `Cloudflare-Workers`); every browser begins with Mozilla. */
const inBrowser = (): boolean => {
  const { document, navigator } = globalThis as {
    readonly document?: unknown
    readonly navigator?: { readonly userAgent?: string }
  }
  return document !== undefined || navigator?.userAgent?.startsWith('Mozilla/') === true
}
