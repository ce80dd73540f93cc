/** The account at the other end of a loopback connection, as far as the system says. */
import type { Peer } from './server.ts'

/** `ours`: the account of this process. */
export type PeerOwner =
  | {
      readonly kind: 'ours' | 'other'
      /** What the system calls the account, a number on Linux, a SID on Windows; absent where it hides that. */
      readonly user?: string
    }
  /** The other end is closed: another account may use the port next. */
  | { readonly kind: 'gone' }
  /** This system does not say. */
  | { readonly kind: 'unknown' }

/**
 * Finds the account whose process connected from `peer` to `port` of 127.0.0.1 or ::1. Called for every request and never
 * cached: the next connection from the same port may be another account's.
 */
export type FindPeerOwner = (peer: Peer, port: number) => Promise<PeerOwner>
