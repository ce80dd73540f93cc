/** How to connect to the distribution service from this machine: the proxy, and the trusted root certificates. */
import { readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { getCACertificates, rootCertificates } from 'node:tls'
import { getProxyForUrl } from 'proxy-from-env'
import { errorText } from '../../system/error-text.ts'
import { findProxy, type ProxySettings, readSystemProxy } from '../../system/proxy.ts'

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
 * request: machines change networks, and a file that was replaced counts at once. `proxyAgeMs`: for requests that come all
 * the time, of which each would start a command of the system. Throws Unreachable.
 */
export async function readConnectionOptions(
  url: string,
  caFile: string | undefined,
  proxyAgeMs = 0,
): Promise<ConnectionOptions> {
  const ca = new URL(url).protocol === 'https:' ? readTrustedRoots(caFile) : undefined
  const agent = await createProxyAgent(url, proxyAgeMs)
  return { agent, rejectUnauthorized: true, ...(ca && { ca }) }
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
async function createProxyAgent(url: string, maxAgeMs: number): Promise<Agent | false> {
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    /^(https?|all|no)_proxy$/i.test(name) && value ? [value] : [],
  )
  // When the environment sets any of these, it alone counts, NO_PROXY included.
  const proxy =
    variables.length === 0
      ? findProxy(url, await readRecentSystemProxy(maxAgeMs))
      : normalizeProxy(getProxyForUrl(url), variables)
  if (proxy === '') return false
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  return new HttpsProxyAgent(proxy, { rejectUnauthorized: true })
}

let systemProxy:
  | { readonly readAt: number; readonly settings: ProxySettings | undefined }
  | undefined

async function readRecentSystemProxy(maxAgeMs: number): Promise<ProxySettings | undefined> {
  const now = performance.now()
  if (systemProxy === undefined || now - systemProxy.readAt >= maxAgeMs)
    systemProxy = { readAt: now, settings: await readSystemProxy() }
  return systemProxy.settings
}

/** A proxy without a scheme is an http proxy, as other programs read it; the package gives it the scheme of the request. */
function normalizeProxy(proxy: string, variables: readonly string[]): string {
  const [, bare = ''] = /^https:\/\/(.*)$/.exec(proxy) ?? []
  return variables.includes(bare) ? `http://${bare}` : proxy
}
