/** The address of a client: the peer on the socket, or the address that a trusted proxy names. */
import { isLoopbackAddress, isLoopbackHost } from '@cardwire/protocol'
import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * The address that limits count by. `forwarded` (X-Forwarded-For) is read from its right end, and only as far as
 * every hop is trusted. An IPv6 address counts as its /56, which is what a household has (RIPE-690 §4.2, RFC 6177): with
 * its /64 one household would be 256 addresses.
 */
export function findClientAddress(
  peer: string,
  forwarded: string | undefined,
  trusted: readonly Network[],
): string {
  const hops = [...(forwarded?.split(',').map((hop) => hop.trim()) ?? []), peer]
  for (const hop of hops.toReversed()) {
    const address = parseAddress(hop)
    if (!address) break
    if (!trusted.some((network) => matches(address, network))) return toSubscriber(address)
  }
  const last = parseAddress(peer)
  return last ? toSubscriber(last) : peer
}

/** Whether the service takes the word of this peer for who sent a request. */
export function isTrustedProxy(peer: string, trusted: readonly Network[]): boolean {
  const address = parseAddress(peer)
  return address !== undefined && trusted.some((network) => matches(address, network))
}

/** Whether the address of a peer is this machine's own, also as an IPv4-mapped one. */
export function isLoopbackPeer(peer: string): boolean {
  const address = parseAddress(peer)
  return address !== undefined && isLoopbackAddress(address.toString())
}

/**
 * Whether a Host header names this machine: localhost, a loopback address, or one of `ownHosts`. A page that was loaded
 * under a name of its own, which leads to this machine since (DNS rebinding), sends that name.
 */
export function isOwnHost(header: string | undefined, ownHosts: readonly string[]): boolean {
  if (header === undefined || !URL.canParse(`http://${header}`)) return false
  const { hostname } = new URL(`http://${header}`)
  return isLoopbackHost(hostname) || ownHosts.includes(hostname)
}

/** Parses an address, with the port that some proxies add. An IPv4 address mapped to IPv6 becomes IPv4. */
function parseAddress(hop: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

const matches = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, length]: Network) =>
  address.kind() === network.kind() && address.match(network, length)

const subscriberBits = 56

function toSubscriber(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${subscriberBits}`).toString()}/${subscriberBits}`
}
