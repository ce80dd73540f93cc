/** Follows redirects of file servers: none of them chooses what this connector requests of its own machine. */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopbackHostInBrowsers } from '@cardwire/client/protocol'

/** A request of a download. */
export interface RedirectStep {
  readonly url: URL
  /** A redirect of another machine chose the host: its name must not resolve to this one (`lookupElsewhere`). */
  readonly elsewhere: boolean
}

/** Where a redirect leads; undefined: from another machine to this one. `location` is the header of the response to `from`. */
export function resolveRedirect(location: string, from: RedirectStep): RedirectStep | undefined {
  const to = new URL(location, from.url)
  if (isOwnMachine(from.url.hostname)) return { url: to, elsewhere: false }
  if (isOwnMachine(to.hostname)) return undefined
  return { url: to, elsewhere: from.elsewhere || to.host !== from.url.host }
}

/** Resolves a name, and fails when one of its addresses is this machine's own: anybody can give a name such an address. */
export const lookupElsewhere: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, addresses = []) => {
    const own = addresses.find(({ address, family }) =>
      isOwnMachine(family === 6 ? new URL(`http://[${address}]`).hostname : address),
    )
    if (error || own) return done(error ?? new Error(`"${name}" is this machine`), [])
    const [first] = addresses
    return options.all === true
      ? done(null, addresses)
      : done(null, first?.address ?? '', first?.family)
  })
}

/** Unspecified addresses, and IPv4 addresses within IPv6, reach a loopback interface too; a final dot is no part of a name. */
function isOwnMachine(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return (
    isLoopbackHostInBrowsers(host) ||
    /^(0\.0\.0\.0|\[::\]|\[::ffff:(7f[\da-f]{2}:[\da-f]+|0:0)\])$/.test(host)
  )
}
