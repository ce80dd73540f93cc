/** Whose process is at the other end of a loopback connection, where the system says so. */
import type { Peer } from './server.ts'

/** Seen from the account of this process. */
export type Owner =
  | {
      readonly kind: 'ours' | 'other'
      /** What the system calls the account, a number on Linux, a SID on Windows; absent where it hides that. */
      readonly user?: string
    }
  /** The system tells, and nobody has the other end any more: the port may be anybody's next. */
  | { readonly kind: 'gone' }
  /** This system does not tell. */
  | { readonly kind: 'unknown' }

/**
 * Whose the process is that connected from `peer` to `port` of 127.0.0.1 or ::1, now. Asked for every request and never
 * remembered: the next connection from the same port may be of another account.
 */
export type OwnerOf = (peer: Peer, port: number) => Promise<Owner>
