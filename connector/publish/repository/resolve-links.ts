/** Paths without links. */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The path without links: those on the way to the repository are its administrator's, others are not. */
export function resolveLinks(path: string): string {
  let there = path
  while (!existsSync(there)) there = dirname(there)
  return join(realpathSync(there), relative(there, path))
}
