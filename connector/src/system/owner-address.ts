/** Both ends of a loopback connection as the tables of systems hold them: bytes in network order. */
import { isIPv4, isIPv6 } from 'node:net'
import type { Peer } from './server.ts'

/** The addresses of one connection as its caller sees it. */
export interface Ends {
  readonly local: Buffer
  readonly remote: Buffer
}

/** By family: over IPv4 a caller may have a socket of either, for one of IPv6 holds IPv4 addresses too (RFC 4291). */
export interface FamilyEnds {
  readonly four?: Ends
  readonly six?: Ends
}

/** Our end is 127.0.0.1 or ::1, by the family of the peer. Nothing for what is no address. */
export function endsOf({ address }: Peer): FamilyEnds {
  if (isIPv4(address)) {
    const four = { local: bytesOfFour(address), remote: bytesOfFour('127.0.0.1') }
    return { four, six: { local: mapped(four.local), remote: mapped(four.remote) } }
  }
  return isIPv6(address) ? { six: { local: bytesOfSix(address), remote: bytesOfSix('::1') } } : {}
}

const bytesOfFour = (address: string) => Buffer.from(address.split('.').map(Number))

const mapped = (four: Buffer) => Buffer.concat([Buffer.alloc(10), Buffer.from([255, 255]), four])

/** Without a zone and without dots: as Bun writes the peers of a server on ::1. */
function bytesOfSix(address: string): Buffer {
  const [head = [], tail = []] = address.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((word) => word.padStart(4, '0')),
  )
  const zeros = '0000'.repeat(8 - head.length - tail.length)
  return Buffer.from([...head, zeros, ...tail].join(''), 'hex')
}
