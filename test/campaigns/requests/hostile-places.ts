/** What hostile requests need to know of a program. */

/** Where a target takes what hostile requests carry. */
export interface HostilePlaces {
  /** A path that the right credential reads. */
  readonly read: string
  /** A request with a body that is refused for its content, not for its form. */
  readonly write: { readonly method: string; readonly path: string }
  /** Paths that lead to files or to things with ids. */
  readonly files: readonly string[]
}
