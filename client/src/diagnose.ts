/** Why nothing answered, as far as a page can know it. */
import { loopbackHost } from './configuration.ts'
import type { Page, Permission, Ports } from './ports.ts'
import type { Reason } from './reason.ts'

export interface Diagnosis {
  readonly reason: Extract<
    Reason,
    | 'not-running'
    | 'certificate-untrusted'
    | 'origin-refused'
    | 'page-insecure'
    | 'timeout'
    | `permission-${string}`
  >
  readonly description: string
  readonly alsoPossible?: readonly Reason[]
}

/** How long the probe may take, in milliseconds: the refusal of a connector that is there takes a few. */
const probeMs = 3000

/**
 * fetch says "failed" and nothing else. What is asked for instead: the permission, then the same address without CORS,
 * whose opaque answer proves that somebody is there whose certificate is trusted, and refused this origin. Between nothing
 * there and a certificate that is not trusted no browser lets a page choose; Node, Deno and Bun name the cause.
 */
export async function diagnose(
  { fetch, page, after }: Ports,
  address: string,
  permission: Permission | undefined,
  cause: unknown,
): Promise<Diagnosis> {
  const at = `Cannot reach the connector at ${address}`
  if (permission?.state === 'denied') return denied(at, page)
  if (!page.secure) {
    return {
      reason: 'page-insecure',
      description: `${at}: the browser lets only pages served over https do that`,
    }
  }
  if (permission?.state === 'prompt') {
    return {
      reason: 'permission-needed',
      description: `${at}: the browser asks whether this site may use it; try again and choose "Allow"`,
      // A page that needs no permission is told "prompt", too.
      alsoPossible: ['not-running', 'certificate-untrusted', 'origin-refused'],
    }
  }
  const named = causeOf(cause)
  if (named === 'certificate-untrusted') {
    return {
      reason: named,
      description: `${at}: its certificate is not trusted here; run "cardwire certs install"`,
    }
  }
  const notRunning = `${at}: install it or start it`
  if (named === 'not-running') return { reason: named, description: notRunning }

  const ended = new AbortController()
  const callOff = after(probeMs, () => ended.abort())
  try {
    await fetch(`${address}/info`, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: ended.signal,
      ...addressSpaceOf(address),
    })
    return {
      reason: 'origin-refused',
      description: `${at}: it does not accept this site; its operator has to put the site on the allowlist`,
    }
  } catch {
    if (ended.signal.aborted) {
      return { reason: 'timeout', description: `${at}: it does not answer; start it again` }
    }
    return {
      reason: 'not-running',
      description: `${notRunning}; if it runs, this browser does not trust its certificate: run "cardwire certs install"`,
      alsoPossible: ['certificate-untrusted'],
    }
  } finally {
    callOff()
  }
}

/** Firefox tells a frame that is barred no other thing than one whose person said no. */
function denied(at: string, { barred }: Page): Diagnosis {
  const byFrame =
    'this page is a frame, and the page around it has to add allow="loopback-network" to it'
  if (barred) return { reason: 'permission-impossible', description: `${at}: ${byFrame}` }
  const refused = `${at}: this browser was told that the site may not use it; allow it in the settings of the site (beside the address) and try again`
  return barred === false
    ? { reason: 'permission-denied', description: refused }
    : {
        reason: 'permission-denied',
        description: `${refused}; or else ${byFrame}`,
        alsoPossible: ['permission-impossible'],
      }
}

/** The member of fetch for a host that is this machine by its name. */
export const addressSpaceOf = (address: string): { readonly targetAddressSpace?: 'loopback' } =>
  loopbackHost(new URL(address).hostname) ? { targetAddressSpace: 'loopback' } : {}

/** What Node, Deno and Bun tell, and browsers do not. */
function causeOf(error: unknown): 'not-running' | 'certificate-untrusted' | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (/^(ECONNREFUSED|ConnectionRefused|ENOTFOUND)$/.test(code)) return 'not-running'
    if (/CERT|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) return 'certificate-untrusted'
    // Node tries ::1 and 127.0.0.1, and gathers what each said.
    if (cause instanceof AggregateError && cause.errors.length > 0) return causeOf(cause.errors[0])
  }
  return undefined
}
