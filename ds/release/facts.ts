/** What an archive says of itself: version, architecture, and the Node that it needs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ReleaseError } from '../../.ci/packaging/written-at.ts'
import { root } from '../../test/bed/repository.ts'

const readManifest = () => JSON.parse(readFileSync(join(root, 'ds/package.json'), 'utf8'))

export const findVersion = (): string => readManifest().version

/** The lowest major version of Node that runs the service. */
export function findNodeVersion(): string {
  const [, major] = /^>=(\d+)$/.exec(readManifest().engines.node) ?? []
  if (major === undefined) throw new ReleaseError('Cannot read engines.node of ds/package.json')
  return major
}

/** The packages that the bundle leaves out, as the script that bundles names them. */
export function findExternals(): readonly string[] {
  return [...readManifest().scripts.bundle.matchAll(/--external=(\S+)/g)].map(([, name]) => name)
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
