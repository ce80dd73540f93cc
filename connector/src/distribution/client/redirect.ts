/** Downloads from file servers: neither they nor the service can make this connector send requests to the machine it runs on. */
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isLoopbackHostInBrowsers } from '@cardwire/protocol/loopback'
import { isOwnAddress } from './own-address.ts'

/** A request of a download. */
export interface RedirectStep {
  readonly url: URL
  /** The service is on another machine: the name of the host must not resolve to this one (`lookupElsewhere`). */
  readonly elsewhere: boolean
}

/** The first request of a download that the service names. undefined: it leads to this machine or its link, where the service is not. */
export async function startDownload(url: string, dsUrl: string): Promise<RedirectStep | undefined> {
  return toStep(new URL(url), !(await isServiceHere(dsUrl)))
}

/** Where a redirect leads; undefined: as for `startDownload`. `location` is the header of the response to `from`. */
export const resolveRedirect = (location: string, from: RedirectStep): RedirectStep | undefined =>
  toStep(new URL(location, from.url), from.elsewhere)

const toStep = (url: URL, elsewhere: boolean): RedirectStep | undefined =>
  elsewhere && isOwnMachine(url.hostname) ? undefined : { url, elsewhere }

/** A service of this machine is an administrator's or a developer's, who has the files here too. One whose name only a proxy resolves is elsewhere. */
function isServiceHere(dsUrl: string): Promise<boolean> {
  const { hostname } = new URL(dsUrl)
  if (isOwnMachine(hostname)) return Promise.resolve(true)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  lookup(hostname, { all: true }, (_, addresses = []) =>
    resolve(addresses.some(({ address }) => isOwnAddress(address))),
  )
  return promise
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

const isOwnMachine = (hostname: string) =>
  isLoopbackHostInBrowsers(withoutDot(hostname)) || isOwnAddress(withoutDot(hostname))
