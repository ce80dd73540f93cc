/** The modules of a connector, as pages see them. */

/** Something a connector can do, such as reading one kind of card. */
export interface Module {
  /** The ID, such as `piv`. `reader.card.module` is one of these. */
  readonly id: string
  /** The version of the module, such as `1.0.0`. */
  readonly version: string
  /** What the module does, as a sentence in English. */
  readonly description: string
  /** The operating systems that the module works on. */
  readonly systems: readonly ('windows' | 'macos' | 'linux')[]
  /** Whether the module works with cards. */
  readonly cards: boolean
}
