/** Whose request it is: the socket's peer, or whom a trusted proxy names. */
import ipaddr from 'ipaddr.js'

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * The address that limits count by. `forwarded` (X-Forwarded-For) is read from its right end, and only as far as
 * every hop is trusted. An IPv6 address counts as its /64, which is what one subscriber has (RFC 6177).
 */
export function clientAddress(
  peer: string,
  forwarded: string | undefined,
  trusted: readonly Network[],
): string {
  const hops = [...(forwarded?.split(',').map((hop) => hop.trim()) ?? []), peer]
  for (const hop of hops.toReversed()) {
    const address = parse(hop)
    if (!address) break
    if (!trusted.some((network) => matches(address, network))) return subscriber(address)
  }
  const last = parse(peer)
  return last ? subscriber(last) : peer
}

export function isLoopback(address: string): boolean {
  return parse(address)?.range() === 'loopback'
}

/** The address, an IPv4 one in IPv6 clothes undressed; some proxies write the port behind it. */
function parse(hop: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

const matches = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, length]: Network) =>
  address.kind() === network.kind() && address.match(network, length)

function subscriber(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`
}
