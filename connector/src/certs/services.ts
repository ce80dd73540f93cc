/** What the certificates work with; whoever opens them gathers these. */
import type { ConstraintKind } from '../pki/constraints.ts'
import type { Folder } from '../pki/folder.ts'
import type { Protection } from '../pki/protection.ts'
import type { Log } from '../system/log.ts'
import type { TrustStore } from '../trust/trust-store.ts'

export interface CertificateServices {
  readonly folder: Folder
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Whose root it is: `user@machine`. */
  readonly owner: string
  /** What binds a root that is made here. */
  readonly constraints: ConstraintKind
  /** Extra names of the settings. */
  readonly hosts: readonly string[]
  /** Our name in the list of those who use the folder. */
  readonly packageName: string
  readonly protect: (options: { readonly repair: boolean }) => Promise<readonly Protection[]>
  readonly stores: () => Promise<readonly TrustStore[]>
  /** The root of the registry service, PEM, where the machine has one that these stores are to believe too. */
  readonly serviceRoot: () => Promise<string | undefined>
  /** The addresses of a host name; empty when it has none. */
  readonly lookup: (host: string) => Promise<readonly string[]>
  /** The port of the running API; undefined when none runs. */
  readonly servedOn: () => number | undefined
}
