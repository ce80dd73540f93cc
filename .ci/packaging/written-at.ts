/** The time that everything in an archive gets, so that the same sources make the same bytes. */
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { root } from '../../test/bed/repository.ts'

/** A failure that the user at the terminal can act on. */
export class ReleaseError extends Error {}

/** The time of everything in an archive, in seconds: SOURCE_DATE_EPOCH, or that of the commit. */
export function findWrittenAt(): number {
  const given = process.env['SOURCE_DATE_EPOCH'] ?? readCommitTime()
  if (/^\d{1,11}$/.test(given)) return Number(given)
  throw new ReleaseError(
    `Cannot read SOURCE_DATE_EPOCH: expected seconds since 1970, got "${given}"`,
  )
}

function readCommitTime(): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    throw new ReleaseError('Cannot find the time of the commit: set SOURCE_DATE_EPOCH')
  }
}
