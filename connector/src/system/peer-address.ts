/** Both endpoints of a loopback connection as the tables of systems hold them: bytes in network order. */
import { isIPv4, isIPv6 } from 'node:net'
import type { Peer } from './server.ts'

/** The addresses of one connection, seen from the client. */
export interface Endpoints {
  readonly local: Buffer
  readonly remote: Buffer
}

/** By family: over IPv4 a client may have a socket of either, for one of IPv6 holds IPv4 addresses too (RFC 4291). */
export interface EndpointsByFamily {
  readonly four?: Endpoints
  readonly six?: Endpoints
}

/** Our end is 127.0.0.1 or ::1, by the family of the peer. Empty when the peer has no address. */
export function getEndpoints({ address }: Peer): EndpointsByFamily {
  if (isIPv4(address)) {
    const four = { local: parseIpv4(address), remote: parseIpv4('127.0.0.1') }
    return { four, six: { local: toMappedIpv6(four.local), remote: toMappedIpv6(four.remote) } }
  }
  return isIPv6(address) ? { six: { local: parseIpv6(address), remote: parseIpv6('::1') } } : {}
}

const parseIpv4 = (address: string) => Buffer.from(address.split('.').map(Number))

const toMappedIpv6 = (four: Buffer) =>
  Buffer.concat([Buffer.alloc(10), Buffer.from([255, 255]), four])

/** For addresses without zone and without dots, as Bun writes the peers of a server on ::1. */
function parseIpv6(address: string): Buffer {
  const [head = [], tail = []] = address.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((word) => word.padStart(4, '0')),
  )
  const zeros = '0000'.repeat(8 - head.length - tail.length)
  return Buffer.from([...head, zeros, ...tail].join(''), 'hex')
}
