/** Runs git in a repository. */
import { execFileSync } from 'node:child_process'

/** What git prints for these arguments. Throws what git says when it fails. */
export type Git = (...args: readonly string[]) => string

export const openGit =
  (cwd: string): Git =>
  (...args) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
