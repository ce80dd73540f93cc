/** The options of a checker with their defaults. */
import type { Fetch } from './download.ts'

/** How certificates are checked. */
export interface RevocationCheckerOptions {
  /**
   * What to do when no source has a valid answer. With `refuse`, no user can sign in while the CA's services are down. With `accept`, anyone
   * who can block the connection to them can use a revoked certificate.
   */
  readonly onUnknown: 'accept' | 'refuse'
  /**
   * Default: the runtime's `fetch`. Pass your own to use a proxy. It must not follow redirects: `redirect` is `manual`.
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /**
   * Revocation lists that you have already, in PEM or DER, such as those of a CA without a server: at most 20. It is called for each check.
   * They count after OCSP and before the lists that certificates name, and each is verified like those.
   */
  readonly lists?: (() => Promise<readonly (string | Uint8Array)[]>) | undefined
  /** Returns milliseconds since 1970; default: the runtime's clock. */
  readonly clock?: (() => number) | undefined
  /** Milliseconds for one check; one request gets half of it. Default: 10,000. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds by which the clocks of CAs may differ from yours. Default: 300,000 (5 minutes). */
  readonly clockToleranceMs?: number | undefined
  /** Whether to refuse OCSP responses without the nonce of the request (RFC 9654). Many CAs send no nonce. Default: false. */
  readonly requireNonce?: boolean | undefined
  /**
   * Whether URLs in certificates may name private and loopback addresses, such as those of your own CA. Default: false.
   *
   * This is a second line of defense against CAs that you trust: it refuses IP addresses and `localhost` in URLs, and no redirect is
   * followed. It doesn't look up names, so a name that resolves to a private address is requested. To prevent that too, pass a `fetch`
   * that connects through a proxy which refuses such addresses. Link-local and reserved addresses are always refused.
   */
  readonly allowPrivateAddresses?: boolean | undefined
  /** The size in bytes of the largest list that is loaded. Default: 20,000,000. */
  readonly maxCrlBytes?: number | undefined
  /** Bytes of lists that are kept in memory until their next update, for at most an hour. Default: 64,000,000. */
  readonly maxCacheBytes?: number | undefined
}

export interface RevocationSettings {
  readonly onUnknown: 'accept' | 'refuse'
  readonly fetch: Fetch
  readonly lists: () => Promise<readonly (string | Uint8Array)[]>
  readonly clock: () => number
  readonly timeoutMs: number
  readonly toleranceMs: number
  readonly requireNonce: boolean
  readonly allowPrivateAddresses: boolean
  readonly maxCrlBytes: number
  readonly maxCacheBytes: number
}

/** The longest that a timer runs, in milliseconds. */
const maxTimeoutMs = 2 ** 31 - 1

/** Throws a `TypeError` that names the option which is invalid. */
export function readSettings({
  onUnknown,
  fetch = (url, init) => globalThis.fetch(url, { ...init, redirect: 'manual' }),
  lists = async () => [],
  clock = Date.now,
  timeoutMs = 10_000,
  clockToleranceMs = 300_000,
  requireNonce = false,
  allowPrivateAddresses = false,
  maxCrlBytes = 20_000_000,
  maxCacheBytes = 64_000_000,
}: RevocationCheckerOptions): RevocationSettings {
  if (onUnknown !== 'accept' && onUnknown !== 'refuse')
    throw invalid('onUnknown', "'accept' or 'refuse'")
  for (const [name, value] of Object.entries({ fetch, lists, clock }))
    if (typeof value !== 'function') throw invalid(name, 'a function')
  for (const [name, value] of Object.entries({ requireNonce, allowPrivateAddresses }))
    if (typeof value !== 'boolean') throw invalid(name, 'true or false')
  for (const [name, value] of Object.entries({ clockToleranceMs, maxCrlBytes, maxCacheBytes }))
    if (!Number.isSafeInteger(value) || value < 0) throw invalid(name, 'a number from 0')
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maxTimeoutMs)
    throw invalid('timeoutMs', `milliseconds from 1 to ${maxTimeoutMs}`)
  return {
    ...{ onUnknown, fetch, lists, clock, timeoutMs, toleranceMs: clockToleranceMs },
    ...{ requireNonce, allowPrivateAddresses, maxCrlBytes, maxCacheBytes },
  }
}

const invalid = (name: string, expected: string): TypeError =>
  new TypeError(`Cannot use ${name}: expected ${expected}`)
