/** What a kind of repository does: for apt, and for dnf. */
import type { PublishedFile } from '../package-files.ts'
import type { Signer } from './signer.ts'

export interface RepositoryHalf {
  /** The end of the names of its packages. */
  readonly suffix: string
  /** Whether a package is there; false: another one has its name, undefined: none has. */
  has(folder: string, file: PublishedFile, path: string): boolean | undefined
  /** Throws a PublishError when a package must not be added. */
  check(path: string): void
  add(folder: string, file: PublishedFile, path: string, signer: Signer): void
  /** Lists all packages that are there, for readers; false: the lists are right already. */
  writeIndexes(folder: string, signer: Signer, now: Date): boolean
}
