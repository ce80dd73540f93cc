/** Has createrepo_c make the lists of dnf, in a private folder. */
import { linkSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hash } from '../../../.ci/packaging/archives.ts'
import { PublishError } from '../options.ts'
import { type Metadata, type MetadataPackage, readPackages } from './dnf-metadata.ts'
import { lists } from './publish-lists.ts'
import type { ListChange } from './repository-half.ts'
import { runTool } from './signer.ts'

/**
 * Returns the folder of the lists. What the signed lists say of a package is taken from them: its file is not read again, and an
 * empty one of the same name, size and time stands for it.
 */
export function createLists(
  metadata: Metadata | undefined,
  { kept, added, work, now }: ListChange,
): string {
  const [packages, last, next] = ['packages', 'last', 'next'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [packages, join(last, lists), next]) mkdirSync(folder, { recursive: true })
  for (const [name, content] of metadata?.files ?? [])
    writeFileSync(join(last, lists, name), content)
  for (const { name, size, time } of metadata?.packages ?? []) {
    if (!kept.includes(name)) continue
    writeFileSync(join(packages, name), '')
    truncateSync(join(packages, name), size)
    utimesSync(join(packages, name), time, time)
  }
  for (const path of added) linkSync(path, join(packages, basename(path)))
  const revision = String(Math.floor(now.getTime() / 1000))
  runTool([
    'createrepo_c',
    ...['--quiet', '--no-database', '--revision', revision, '--set-timestamp-to-revision'],
    ...(metadata ? ['--update', '--update-md-path', last] : []),
    ...['--outputdir', next, packages],
  ])
  checkLists(join(next, lists), [
    ...(metadata?.packages.filter(({ name }) => kept.includes(name)) ?? []),
    ...added.map((path) => ({ name: basename(path), sha256: hash('sha256', path) })),
  ])
  return join(next, lists)
}

/** createrepo_c leaves out what it cannot read, and ends without an error. */
function checkLists(
  folder: string,
  expected: readonly Pick<MetadataPackage, 'name' | 'sha256'>[],
): void {
  const listed = readPackages(folder)
  const missing = expected.find(
    ({ name, sha256 }) => !listed.some((each) => each.name === name && each.sha256 === sha256),
  )
  if (missing) throw new PublishError(`Cannot list "${missing.name}": createrepo_c left it out`)
  if (listed.length > expected.length)
    throw new PublishError('Cannot list the packages: createrepo_c lists more than there are')
}
