/** What has changed: since the branch left `main`, or, on `main` itself, with its last commits. */
import type { Git } from './git.ts'

/** Of `main`: a run of CI comes at least so often. */
const lastCommits = 10

/** The revision to compare the working tree with. undefined: there is none, as in a clone of depth 1. */
export function findBase(git: Git): string | undefined {
  const attempt = (...args: readonly string[]) => {
    try {
      return git(...args)
    } catch {
      return undefined
    }
  }
  const head = attempt('rev-parse', 'HEAD')
  if (head === undefined) return undefined
  const bases = ['origin/main', 'main'].map((name) => attempt('merge-base', 'HEAD', name))
  const left = bases.find((base) => base !== undefined && base !== head)
  if (left !== undefined) return left
  if (attempt('status', '--porcelain', '--untracked-files=no')) return head
  const before = Number(git('rev-list', '--count', '--first-parent', 'HEAD')) - 1
  return before > 0 ? `HEAD~${Math.min(before, lastCommits)}` : undefined
}
