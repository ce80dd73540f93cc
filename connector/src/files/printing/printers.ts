/** The printers of this machine, for data in their own language. */
import { toPrintableLine } from '@cardwire/protocol/printable'

export interface PrintJob {
  /** One of `list`. */
  readonly printer: string
  /** In the queue of the printer, as `toJobTitle` makes it. */
  readonly title: string
  /** Not empty; nothing converts it. */
  readonly data: Uint8Array
}

export interface Printers {
  /** Their names. Throws `printing-unavailable` where nothing prints. */
  list(): Promise<readonly string[]>
  /** Resolves when the system has the whole job. Throws `printing-refused` when it takes none. */
  print(job: PrintJob): Promise<void>
}

/** Bytes of a title (RFC 8011 §5.1.3). */
const maxTitleBytes = 255

/** A title that every system accepts: one line, cut where it is too long. */
export function toJobTitle(text: string): string {
  const line = toPrintableLine(text)
  let bytes = 0
  const fits = (character: string): boolean => {
    bytes += Buffer.byteLength(character)
    return bytes <= maxTitleBytes
  }
  const characters = [...line]
  const end = characters.findIndex((character) => !fits(character))
  return end === -1 ? line : characters.slice(0, end).join('')
}

/** How long the system may take, in milliseconds: a list waits for printers of the network, a job for a slow queue. */
export const limits = { listMs: 15_000, printMs: 60_000 } as const
