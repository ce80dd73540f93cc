/** The port of everything that believes roots: an operating system, a browser, a profile. */
import type { Facts } from '../pki/certificate.ts'

export interface TrustStore {
  /** Stands in results and logs, and is unique among the stores of a machine. */
  readonly name: string
  /** Whom it makes believe: this user, or every account of the machine. */
  readonly scope: 'user' | 'machine'
  /** Why it cannot be used here; undefined when it can. */
  available(): Promise<string | undefined>
  /** Makes the store believe a root; again is no error. Throws with the reason when it cannot. */
  install(root: Facts): Promise<void>
  /** Makes the store forget a root; one it does not know is no error. Throws with the reason when it cannot. */
  uninstall(root: Facts): Promise<void>
  /** Whether it believes a root. Throws with the reason when it cannot be told. */
  trusts(root: Facts): Promise<boolean>
}
