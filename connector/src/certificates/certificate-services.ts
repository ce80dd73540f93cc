/** The services that the certificates use. */

import type { CertificateFolder } from '../pki/certificate-folder.ts'
import type { ConstraintKind } from '../pki/constraints.ts'
import type { Protection } from '../pki/protection.ts'
import type { TrustStore } from '../pki/trust-stores/trust-store.ts'
import type { MakeRootKeys } from '../pki/x509.ts'
import type { Log } from '../system/log.ts'

export interface CertificateServices {
  readonly folder: CertificateFolder
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  /** Whether a root may be replaced by what the clock says. */
  readonly isClockTrusted: () => boolean
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** The owner of the root: `user@machine`. */
  readonly owner: string
  /** The constraints of a new root. */
  readonly constraints: ConstraintKind
  /** Makes the keys of a root; generates them by default. */
  readonly makeRootKeys?: MakeRootKeys
  /** Extra names of the settings. */
  readonly hosts: readonly string[]
  /**
   * The names that a root may sign for if everyone trusts it: those that an administrator has set. Absent: only this user trusts it, and
   * sets names, too.
   */
  readonly machineHosts?: () => readonly string[]
  /** Our name in the list of packages that use the folder. */
  readonly packageName: string
  readonly checkAccess: (options: { readonly repair: boolean }) => Promise<readonly Protection[]>
  readonly stores: () => Promise<readonly TrustStore[]>
  /** The root of the registry service, PEM, where the machine has one that these stores have to trust too. Rejects when it cannot be read. */
  readonly serviceRoot: () => Promise<string | undefined>
  /** The addresses of a host name; empty when it has none. */
  readonly lookup: (host: string) => Promise<readonly string[]>
  /** The port of the running API; undefined when none runs. */
  readonly servedOn: () => number | undefined
}
