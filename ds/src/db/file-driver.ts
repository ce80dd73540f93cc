/** A driver over a file of this machine. */
import type { Driver } from './database.ts'

export interface FileDriver extends Driver {
  /** At once, unless a thread reads: then as soon as that has ended. Everything is in the one file afterwards. */
  close(): Promise<void> | void
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
