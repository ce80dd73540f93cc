/** Whether a request comes from a page of the admin console itself: no other page may change anything. */
import { isLoopbackHost } from '@cardwire/protocol'
import type { Context } from 'hono'

/**
 * Whether a page of this service sent a request. Browsers send `Sec-Fetch-Site` to https and to this machine, and no page
 * can write it; else `Origin` has to be the public address, or name the host that was asked. A page of plain http under that name may be
 * anybody's on the network.
 */
export function isFromOwnPage({ req }: Context, url: string): boolean {
  const site = req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = req.header('origin')
  if (origin === undefined || !URL.canParse(origin)) return false
  if (origin === new URL(url).origin) return true
  return new URL(origin).host === req.header('host') && isSafeOrigin(origin)
}

/**
 * Whether the browser that opens a page could log in there: over https, or on this machine. Browsers send `Sec-Fetch-Site` nowhere else; the
 * other marks are for browsers that do not know it.
 */
export function isOpenedSafely({ req }: Context): boolean {
  if (req.header('sec-fetch-site') !== undefined) return true
  if (req.header('x-forwarded-proto') === 'https') return true
  const { protocol, host } = new URL(req.url)
  const address = `${protocol}//${req.header('host') ?? host}`
  return URL.canParse(address) && isSafeOrigin(address)
}

/** Whether a browser would keep the cookie of a session here: it does on https, and on http only for this machine. */
export function keepsCookies({ req }: Context): boolean {
  const origin = req.header('origin')
  if (origin === undefined || !URL.canParse(origin)) return true
  return isSafeOrigin(origin)
}

/** Whether browsers keep secure cookies of an address: of https, and of http only for this machine. */
export function isSafeOrigin(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopbackHost(hostname)
}
