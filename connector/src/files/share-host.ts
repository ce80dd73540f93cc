/** Shares of other machines: a path over the network that leads back to this one evades every rule about its folders. */
import { lookup } from 'node:dns/promises'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** A share by a name of letters, digits and hyphens, which Windows writes with backslashes; none of a device (`\\?\`, `\\.\`). */
const share = /^\\\\([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\\([^\\/]+)(?:\\|$)/i
/** Shares by which administrators reach a whole drive, Windows itself or its pipes. */
const administrative = /^(?:[a-z]|admin|print|ipc)\$$/i
/** The last label of an address in one of its odd forms (url.spec.whatwg.org, "ends in a number"), and of names of this machine (RFC 6761 §6.3). */
const localName = /(?:^|\.)(?:\d+|0x[0-9a-f]*|localhost|ipv6-literal\.net)$/i

/** The host of the share on which a path of Windows lies; undefined: it is on none, or on one that no page may have, wherever its host is. */
export function readShareHost(path: string): string | undefined {
  const [, host = '', name = ''] = share.exec(path) ?? []
  if (host === '' || administrative.test(name)) return undefined
  return isIPv4(host) || !localName.test(host) ? host : undefined
}

/** What this machine is called, and how names are resolved. */
export interface Network {
  readonly hostname: () => string
  /** Addresses, without zones. */
  readonly ownAddresses: () => readonly string[]
  /** Rejects when there are none. */
  readonly resolve: (host: string) => Promise<readonly string[]>
}

const systemNetwork: Network = {
  hostname,
  ownAddresses: () =>
    Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []),
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
}

/** Resolves with whether a host is another machine by each of its addresses; one that has none is not. */
export async function isOtherMachine(host: string, network = systemNetwork): Promise<boolean> {
  const own = network.hostname().toLowerCase()
  if ([own, own.split('.')[0]].includes(host.toLowerCase())) return false
  const found = (await network.resolve(host).catch(() => [])).map(withoutZone)
  const local = createLocalAddresses(network.ownAddresses().map(withoutZone))
  return found.length > 0 && !found.some((one) => local.check(one, familyOf(one)))
}

/** Loopback and unspecified addresses, and those of this machine. */
function createLocalAddresses(own: readonly string[]): BlockList {
  const local = new BlockList()
  local.addSubnet('127.0.0.0', 8)
  local.addSubnet('0.0.0.0', 8)
  local.addAddress('::', 'ipv6')
  local.addAddress('::1', 'ipv6')
  for (const address of own) local.addAddress(address, familyOf(address))
  return local
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
const withoutZone = (address: string) => address.replace(/%.*$/, '')
