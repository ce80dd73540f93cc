/** What the registry works with; the command that runs it gathers these. */
import type { DoorParts } from '../door/gate.ts'
import type { OwnerOf } from '../system/owner.ts'
import type { Allowlist } from './allowlist.ts'
import type { Directory } from './directory.ts'
import type { Inquiries } from './inquiries.ts'

export interface RegistryServices extends Pick<DoorParts, 'log' | 'names'> {
  readonly version: string
  readonly hostName: string
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  readonly directory: Directory
  readonly inquiries: Inquiries
  readonly allowlist: Allowlist
  readonly ownerOf: OwnerOf
  /** The name of a user as people know it; undefined where the system does not tell. */
  readonly nameOf: (user: string) => Promise<string | undefined>
}
