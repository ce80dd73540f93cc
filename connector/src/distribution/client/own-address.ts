/** Which addresses lead no farther than this machine or its link. */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Loopback and unspecified addresses (RFC 6890), and those of a link (RFC 3927, RFC 4291 §2.5.6). */
const local = new BlockList()
local.addSubnet('0.0.0.0', 8, 'ipv4')
local.addSubnet('127.0.0.0', 8, 'ipv4')
local.addSubnet('169.254.0.0', 16, 'ipv4')
local.addAddress('::', 'ipv6')
local.addAddress('::1', 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

type Interfaces = ReturnType<typeof networkInterfaces>

/**
 * Whether a request to this IP address stays on this machine or its link; false for any other text. Private addresses of
 * other machines are not among them: a company has its file servers there.
 */
export function isOwnAddress(
  address: string,
  interfaces: Interfaces = networkInterfaces(),
): boolean {
  const plain = toPlainAddress(address)
  if (isIP(plain) === 0) return false
  if (local.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')) return true
  return Object.values(interfaces).some((all) =>
    all?.some((own) => toPlainAddress(own.address) === plain),
  )
}

/** Without brackets and zone; an IPv4 address within IPv6 as IPv4 (RFC 4291 §2.5.5.2). */
function toPlainAddress(address: string): string {
  const plain = address
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [, high = '', low = ''] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical) ?? []
  if (high === '') return canonical
  return [high, low]
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.')
}
