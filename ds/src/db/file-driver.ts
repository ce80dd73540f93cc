/** A driver over a file of this machine. */
import type { Driver } from './database.ts'

export interface FileDriver extends Driver {
  close(): void
}

/**
 * How the file is opened: a change is on disk before it is answered, foreign keys are checked, and another process (the
 * administrators' command) may lock the file for a moment.
 */
export const pragmas = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'busy_timeout = 5000',
]
