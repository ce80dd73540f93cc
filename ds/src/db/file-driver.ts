/** A driver over a file of this machine. */
import type { Driver } from './database.ts'

export interface FileDriver extends Driver {
  close(): void
}

/**
 * How such a file is opened: what was answered is on disk, references hold, and another process (the administrators'
 * command) may have it for a moment.
 */
export const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'busy_timeout = 5000',
]
