/** Warns of proxies that are not trusted: without the setting, everybody behind one counts as one address. */
import type { Context } from 'hono'
import type { Clock, Log } from '../ports.ts'
import { isTrustedProxy } from '../rules/client-address.ts'
import type { Settings } from '../settings.ts'

const hourMs = 3_600_000
/** Addresses that are reported in an hour: anybody can send the header. */
const maxAddresses = 100

/** Wraps the function that finds the peer of a request, which is called where the address of a client counts. */
export function warnOfUntrustedProxies(
  getPeerAddress: (context: Context) => string,
  {
    settings,
    log,
    clock = Date.now,
  }: { readonly settings: Pick<Settings, 'trustProxy'>; readonly log: Log; readonly clock?: Clock },
): (context: Context) => string {
  const reportedAt = new Map<string, number>()
  return (context) => {
    const peer = getPeerAddress(context)
    const isForwarded = context.req.header('x-forwarded-for') !== undefined
    if (isForwarded && !isTrustedProxy(peer, settings.trustProxy)) report(peer)
    return peer
  }

  function report(peer: string): void {
    const now = clock()
    for (const [address, at] of reportedAt) {
      if (now < at || now - at >= hourMs) reportedAt.delete(address)
    }
    if (reportedAt.has(peer) || reportedAt.size >= maxAddresses) return
    reportedAt.set(peer, now)
    log.warn('X-Forwarded-For of an untrusted peer ignored', {
      peer,
      remedy: 'if it is your proxy, name it in DS_TRUST_PROXY',
    })
  }
}
