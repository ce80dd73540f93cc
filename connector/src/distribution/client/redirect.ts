/** Follows redirects of file servers: none of them chooses what this connector requests of its own machine. */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopbackHostInBrowsers } from '@cardwire/client/protocol/loopback'
import { isOwnAddress } from './own-address.ts'

/** A request of a download. */
export interface RedirectStep {
  readonly url: URL
  /** A redirect of another machine chose the host: its name must not resolve to this one (`lookupElsewhere`). */
  readonly elsewhere: boolean
}

/** Where a redirect leads; undefined: from another machine to this one or its link. `location` is the header of the response to `from`. */
export function resolveRedirect(location: string, from: RedirectStep): RedirectStep | undefined {
  const to = new URL(location, from.url)
  if (isLoopback(from.url.hostname)) return { url: to, elsewhere: false }
  if (to.hostname !== from.url.hostname && isOwnMachine(to.hostname)) return undefined
  return { url: to, elsewhere: from.elsewhere || to.host !== from.url.host }
}

/** Resolves a name, and fails when one of its addresses is this machine's own: anybody can give a name such an address. */
export const lookupElsewhere: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, addresses = []) => {
    const own = addresses.find(({ address }) => isOwnAddress(address))
    if (error || own) return done(error ?? new Error(`"${name}" is this computer`), [])
    const [first] = addresses
    return options.all === true
      ? done(null, addresses)
      : done(null, first?.address ?? '', first?.family)
  })
}

/** A final dot is no part of a name. */
const withoutDot = (hostname: string) => hostname.replace(/\.$/, '')

const isLoopback = (hostname: string) => isLoopbackHostInBrowsers(withoutDot(hostname))

const isOwnMachine = (hostname: string) =>
  isLoopback(hostname) || isOwnAddress(withoutDot(hostname))
