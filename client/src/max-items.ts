/** The most items of every list and record that the client reads: of a connector, a registry, another tab or the browser's storage. */
export const maxItems = {
  readers: 256,
  /** The kinds of cards that one ATR may stand for. */
  cardKinds: 1000,
  modules: 256,
  systems: 16,
  /** For one purpose; a card has 24 keys at most, a library's token may have more. */
  certificates: 100,
  hashes: 100,
  /** As many as one request may ask for. */
  signatures: 100,
  /** As many as a page may send. */
  consents: 1000,
  /** Headers that describe the browser. */
  hints: 100,
  /** As many as one request may ask for. */
  files: 10_000,
  fileTypes: 10_000,
  /** Folders that lead to a file. */
  folders: 1000,
} as const
