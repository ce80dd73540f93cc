/** Which URLs of certificates are requested: a certificate must not make a back end call what only its own network reaches. */
import ipaddr from 'ipaddr.js'

/** What `allowPrivateAddresses` allows. Other ranges that are not public are always refused. */
const privateRanges: readonly string[] = ['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']

/** Public or private by their range, but answered by the host of a virtual machine with what only that may know. */
const metadataAddresses: readonly string[] = [
  '168.63.129.16', // Azure
  '100.100.100.200', // Alibaba
  'fd00:ec2::254', // Amazon
  'fd20:ce::254', // Google
]

/** A name that never leaves the machine (RFC 6761 §6.3). */
const localName = /^(?:.+\.)?localhost\.?$/i

/** Whether a URL may be requested, as far as it tells without a resolver. */
export function isAllowedUrl(text: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false
  const address = hostname.replace(/^\[|\]$/g, '')
  if (!ipaddr.isValid(address)) return allowsPrivate || !localName.test(hostname)
  return isAllowedAddress(address, allowsPrivate)
}

/** An IPv6 address that contains one of IPv4 counts as that, or is refused. */
function isAllowedAddress(address: string, allowsPrivate: boolean): boolean {
  const parsed = ipaddr.process(address)
  if (metadataAddresses.includes(parsed.toString())) return false
  const range = parsed.range()
  if (allowsPrivate && privateRanges.includes(range)) return true
  // Only these are global (RFC 3513 §4): a host with a tunnel sends others to an address of IPv4.
  return range === 'unicast' && (parsed.kind() === 'ipv4' || /^[23]/.test(parsed.toString()))
}
