/** How to connect to the distribution service from this machine: the proxy, and the trusted root certificates. */
import { readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { getCACertificates, rootCertificates } from 'node:tls'
import { getProxyForUrl } from 'proxy-from-env'
import { errorText } from '../../system/error-text.ts'
import { findProxy, readSystemProxy } from '../../system/proxy.ts'

/** The service could not be reached, or did not respond completely and in time. */
export class Unreachable extends Error {}

interface ConnectionOptions {
  /** false: there is no proxy for this address. */
  readonly agent: Agent | false
  /** PEM; absent without TLS. */
  readonly ca?: string[]
  /** Set, because NODE_TLS_REJECT_UNAUTHORIZED decides where it is not. */
  readonly rejectUnauthorized: true
}

/**
 * Options for a request of node:http or node:https. `caFile` holds roots beside those of the system, PEM. Read for every
 * request: machines change networks, and a file that was replaced counts at once. Throws Unreachable.
 */
export async function readConnectionOptions(
  url: string,
  caFile: string | undefined,
): Promise<ConnectionOptions> {
  const ca = new URL(url).protocol === 'https:' ? readTrustedRoots(caFile) : undefined
  return { agent: await createProxyAgent(url), rejectUnauthorized: true, ...(ca && { ca }) }
}

function readTrustedRoots(caFile: string | undefined): string[] {
  const roots = [...new Set([...rootCertificates, ...getCACertificates('system')])]
  if (caFile === undefined) return roots
  try {
    return [...roots, readFileSync(caFile, 'utf8')]
  } catch (error) {
    throw new Unreachable(`Cannot read the roots of CARDWIRE_CA_FILE: ${errorText(error)}`)
  }
}

/** An agent for the proxy of the environment, or else of the system. Requests are rare: it keeps no connection open. */
async function createProxyAgent(url: string): Promise<Agent | false> {
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    /^(https?|all|no)_proxy$/i.test(name) && value ? [value] : [],
  )
  // When the environment sets any of these, it alone counts, NO_PROXY included.
  const proxy =
    variables.length === 0
      ? findProxy(url, await readSystemProxy())
      : normalizeProxy(getProxyForUrl(url), variables)
  if (proxy === '') return false
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  return new HttpsProxyAgent(proxy, { rejectUnauthorized: true })
}

/** A proxy without a scheme is an http proxy, as other programs read it; the package gives it the scheme of the request. */
function normalizeProxy(proxy: string, variables: readonly string[]): string {
  const [, bare = ''] = /^https:\/\/(.*)$/.exec(proxy) ?? []
  return variables.includes(bare) ? `http://${bare}` : proxy
}
