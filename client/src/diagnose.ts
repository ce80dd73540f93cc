/** Finds out why a connector could not be reached, as far as a page can know. */

import { isLoopbackHostInBrowsers } from '@cardwire/protocol/loopback'
import type { CardwireErrorKind } from './kind.ts'
import type { Page, Permission, Ports } from './ports.ts'
import type { Reason } from './reason.ts'

export interface Diagnosis {
  readonly reason: Extract<
    Reason,
    | 'not-running'
    | 'certificate-untrusted'
    | 'origin-refused'
    | 'page-insecure'
    | 'csp-blocked'
    | 'not-responding'
    | `permission-${string}`
  >
  readonly description: string
  readonly alsoPossible?: readonly CardwireErrorKind[]
}

/** Milliseconds the probe may take: a connector that refuses the origin answers within a few. */
const probeTimeoutMs = 3000

/**
 * A failed fetch tells a page nothing. So this looks at what the page's policy blocked, at the permission, then probes the same address without CORS: an
 * opaque response proves that a connector with a trusted certificate runs there, and refused this origin. No browser shows
 * a page the difference between no connector and an untrusted certificate; Node, Deno and Bun name the cause.
 */
export async function diagnose(
  { fetch, page, schedule, isBlockedByCsp }: Ports,
  address: string,
  permission: Permission | undefined,
  cause: unknown,
): Promise<Diagnosis> {
  const prefix = `Cannot reach the connector at ${address}`
  if (await isBlockedByCsp(address)) {
    const { protocol, hostname } = new URL(address)
    return {
      reason: 'csp-blocked',
      description: `${prefix}: the Content-Security-Policy of this page blocks it; add ${protocol}//${hostname}:* to its connect-src`,
    }
  }
  if (permission?.state === 'denied') return describeDenied(prefix, page)
  if (!page.secure) {
    return {
      reason: 'page-insecure',
      description: `${prefix}: the browser lets only pages served over https do that`,
    }
  }
  if (permission?.state === 'prompt') {
    return {
      reason: 'permission-needed',
      description: `${prefix}: the browser asks whether this site may use it; try again and choose "Allow"`,
      // A page that needs no permission may see the state "prompt", too.
      alsoPossible: ['not-running', 'certificate-untrusted', 'origin-refused'],
    }
  }
  const namedCause = readCause(cause)
  if (namedCause === 'certificate-untrusted') {
    return {
      reason: namedCause,
      description: `${prefix}: this program does not trust its root certificate`,
    }
  }
  const notRunning = `${prefix}: install it or start it`
  if (namedCause === 'not-running') return { reason: namedCause, description: notRunning }

  const probe = new AbortController()
  const cancelTimer = schedule(probeTimeoutMs, () => probe.abort())
  try {
    await fetch(`${address}/info`, {
      mode: 'no-cors',
      credentials: 'omit',
      // The only mode that no-cors has; the probe sends nothing.
      redirect: 'follow',
      cache: 'no-store',
      signal: probe.signal,
      ...getAddressSpace(address),
    })
    return {
      reason: 'origin-refused',
      description: `${prefix}: this site is not on its allowlist`,
    }
  } catch {
    if (probe.signal.aborted) {
      return {
        reason: 'not-responding',
        description: `${prefix}: it is not responding; restart it`,
      }
    }
    return {
      reason: 'not-running',
      description: `${notRunning}; if it is already running, this browser does not trust its certificate: run "cardwire certs install"`,
      alsoPossible: ['certificate-untrusted'],
    }
  } finally {
    cancelTimer()
  }
}

/** In Firefox a frame cannot distinguish a permission that the policy blocks from one that the user denied. */
function describeDenied(prefix: string, { blockedByPolicy }: Page): Diagnosis {
  const frameAdvice = 'the embedding page has to add allow="loopback-network" to the frame'
  if (blockedByPolicy)
    return { reason: 'permission-impossible', description: `${prefix}: ${frameAdvice}` }
  const deniedMessage = `${prefix}: the user denied this site the permission; allow it in the site settings, then try again`
  return blockedByPolicy === false
    ? { reason: 'permission-denied', description: deniedMessage }
    : {
        reason: 'permission-denied',
        description: `${deniedMessage}; otherwise, ${frameAdvice}`,
        alsoPossible: ['permission-impossible'],
      }
}

/** The option of fetch for an address whose host is this machine by its name. */
export const getAddressSpace = (address: string): { readonly targetAddressSpace?: 'loopback' } =>
  isLoopbackHostInBrowsers(new URL(address).hostname) ? { targetAddressSpace: 'loopback' } : {}

/** The cause in the error of Node, Deno or Bun; browsers show none. */
function readCause(error: unknown): 'not-running' | 'certificate-untrusted' | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (/^(ECONNREFUSED|ConnectionRefused|ENOTFOUND)$/.test(code)) return 'not-running'
    if (/CERT|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) return 'certificate-untrusted'
    // Node tries ::1 and 127.0.0.1, and gathers both errors.
    if (cause instanceof AggregateError && cause.errors.length > 0)
      return readCause(cause.errors[0])
  }
  return undefined
}
