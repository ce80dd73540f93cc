/** What an archive says of itself: version, architecture, time, and the Node that it needs. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '../../.ci/test-bed/repository.ts'

/** A failure that the person at the terminal can act on. */
export class ReleaseError extends Error {}

const readManifest = () => JSON.parse(readFileSync(join(root, 'ds/package.json'), 'utf8'))

export const findVersion = (): string => readManifest().version

/** The lowest major version of Node that runs the service. */
export function findNodeVersion(): string {
  const [, major] = /^>=(\d+)$/.exec(readManifest().engines.node) ?? []
  if (major === undefined) throw new ReleaseError('Cannot read engines.node of ds/package.json')
  return major
}

/** The packages that the bundle leaves out, as the build names them. */
export function findExternals(): readonly string[] {
  return [...readManifest().scripts.build.matchAll(/--external=(\S+)/g)].map(([, name]) => name)
}

/** The architecture of this machine, in Debian's words. */
export function findArchitecture(): string {
  const known: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
  const architecture = process.platform === 'linux' ? known[process.arch] : undefined
  if (architecture) return architecture
  throw new ReleaseError(
    `Cannot make a release on ${process.platform} ${process.arch}: expected linux on x64 or arm64`,
  )
}

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
