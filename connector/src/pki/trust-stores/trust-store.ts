/** The port of a trust store: where an operating system, a browser or a browser profile keeps the roots it trusts. */
import type { Certificate } from '../certificate.ts'
import type { TrustableRoot } from '../trustable-root.ts'

/** Which certificate: stores get nothing else of it, least of all the text of a file. */
export type RootIdentity = Pick<Certificate, 'der' | 'fingerprint'>

export interface TrustStore {
  /** Stands in results and logs, and is unique among the stores of a machine. */
  readonly name: string
  /** Who trusts what is in it: this user, or every account of the machine. */
  readonly scope: 'user' | 'machine'
  /**
   * What `uninstall` can remove: `own`, what this connector put there, which the store tells by a name of ours; or `any`
   * certificate in the store.
   */
  readonly removes: 'own' | 'any'
  /** Why the store cannot be used here; undefined when it can. */
  findObstacle(): Promise<Obstacle | undefined>
  /** Adds a root; adding it again is no error. Throws with the reason when it cannot. */
  install(root: TrustableRoot): Promise<void>
  /** Removes a root; one that is not in the store is no error. Throws with the reason when it cannot. */
  uninstall(root: RootIdentity): Promise<void>
  /** The roots that this connector put there, PEM; absent: the store does not tell them from others. Throws when they cannot be read. */
  readonly listOwn?: () => Promise<readonly string[]>
  /** Whether the store trusts a root. Throws with the reason when that cannot be determined. */
  trusts(root: RootIdentity): Promise<boolean>
}

/** Why a store cannot be used. */
export interface Obstacle {
  readonly reason: string
  /** What to do so that the store can be read; undefined when it can be read already. */
  readonly remedy?: string
}
