/** The checks of every request to the local page, before anything in it is looked at. */

import type { FindPeerOwner } from '../../system/peer-owner.ts'
import type { Connection } from '../../system/server.ts'

/** Why a request is refused: a sentence for whoever reads the response. */
export type Refusal = string | undefined

/**
 * Only connections of this account are answered; where the system does not say whose one is, none is. A port of loopback is
 * everybody's, and the page can take back what the user has allowed.
 */
export async function checkPeer(
  { peer, port }: Connection,
  ownerOf: FindPeerOwner,
): Promise<Refusal> {
  const owner = peer && (await ownerOf(peer, port))
  return owner?.kind === 'ours'
    ? undefined
    : 'This page belongs to another user of this computer. Open Cardwire in your own account.'
}

/** Names that lead here by DNS rebinding are refused, and pages of every other origin. */
export function checkSource(request: Request, address: string): Refusal {
  const { headers, method } = request
  if (headers.get('host') !== new URL(address).host)
    return 'This is not the URL of the page. Open Cardwire again.'
  const [site, destination] = [headers.get('sec-fetch-site'), headers.get('sec-fetch-dest')]
  const isNavigation = method === 'GET' && new URL(request.url).pathname === '/'
  // "none": a user opened it, or a program did. Old browsers do not say.
  const sites = [null, 'same-origin', ...(isNavigation ? ['none'] : [])]
  if (!sites.includes(site)) return 'Other sites cannot use this page.'
  if (isNavigation && destination !== null && destination !== 'document')
    return 'This page cannot be shown inside another page.'
  // Of browsers every request but GET names its origin (fetch.spec.whatwg.org, 3.2.4).
  const origin = headers.get('origin')
  const origins = method === 'GET' ? [null, address] : [address]
  return origins.includes(origin) ? undefined : 'Other sites cannot use this page.'
}

/** Nothing from elsewhere, nothing inline, no frame around it, and no text that becomes markup. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': contentPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const
