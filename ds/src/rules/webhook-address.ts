/** Which addresses a webhook may have: a request to one must not reach what only the service's own network can. */
import ipaddr from 'ipaddr.js'

/** What DS_WEBHOOK_PRIVATE_ADDRESSES allows. Other ranges that are not public are always refused. */
const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'uniqueLocal',
  'carrierGradeNat',
])

const compatible = ipaddr.parseCIDR('::/96')

/** Public by its range, but answered by the host of a virtual machine with what only that may know. */
const metadata: ReadonlySet<string> = new Set(['168.63.129.16'])

/** Whether a connection to this IP address is allowed. An IPv6 address that contains one of IPv4 counts as that, or is refused. */
export function isAllowedAddress(address: string, allowsPrivate: boolean): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (metadata.has(parsed.toString())) return false
  // IPv4-compatible (RFC 4291 §2.5.5.1): a host with a tunnel sends it to that address.
  if (parsed.kind() === 'ipv6' && parsed.match(compatible) && !isLoopback(address)) return false
  const range = parsed.range()
  return range === 'unicast' || (allowsPrivate && privateRanges.has(range))
}

export const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** The host of a URL as an IP address; undefined: it is a name. */
function readAddress(hostname: string): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) ? address : undefined
}

/** A name that never leaves the machine (RFC 6761 §6.3). */
const isLocalName = (hostname: string) => /^(?:.+\.)?localhost\.?$/i.test(hostname)

/** Why a webhook cannot have this URL, as far as it tells without a resolver; undefined: it can. */
export function findAddressFault(text: string, allowsPrivate: boolean): string | undefined {
  const { protocol, hostname } = new URL(text)
  const address = readAddress(hostname)
  const isLocal = address === undefined ? isLocalName(hostname) : isLoopback(address)
  if (protocol !== 'https:' && !(allowsPrivate && isLocal)) return 'it must start with https://'
  const isAllowed =
    address === undefined ? allowsPrivate || !isLocal : isAllowedAddress(address, allowsPrivate)
  return isAllowed ? undefined : `"${hostname}" is a private, local or reserved address`
}
