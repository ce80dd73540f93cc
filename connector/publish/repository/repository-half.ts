/** What a kind of repository does: for apt, and for dnf. */
import type { Signer } from './signer.ts'

export interface RepositoryHalf {
  /** The end of the names of its packages. */
  readonly suffix: string
  /** The folder of its packages, below that of the repository. */
  readonly packages: string
  /** What is in that folder beside packages. */
  readonly others: readonly string[]
  /** Throws a PublishError when a package must not be added. */
  check(path: string): void
  /** Whether a package of the repository is this one, whatever `prepare` has added to it. */
  isSame(there: string, path: string): boolean
  /** Turns the copy of a package into what readers get. */
  prepare(copy: string, signer: Signer): void
  /** The last list. Throws a PublishError with the file's name unless `signer` has signed all that it says. */
  readList(folder: string, signer: Signer): SignedList
}

/** What a repository offers, as its administrator signed it. */
export interface SignedList {
  /** SHA-256 (hex) of each package, by its name. */
  readonly packages: ReadonlyMap<string, string>
  /** Publishes a list of the packages `kept`, as this list has them, and of those `added`. */
  replace(change: ListChange): void
}

export interface ListChange {
  /** Names. */
  readonly kept: readonly string[]
  /** Paths in `work`. */
  readonly added: readonly string[]
  /** A folder that only this process writes to: readers of the repository have no part in what is signed. */
  readonly work: string
  readonly signer: Signer
  readonly now: Date
}
