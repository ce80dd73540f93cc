/** What names the file of an installer: released versions, and their manifests. */
import { Problem } from '@cardwire/client/protocol'
import { versions } from '../db/schema.ts'
import { parseManifest } from '../packages/manifests.ts'
import { type Packages, toPackageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'

/** Throws `installer-in-use`: what a released version names never changes. */
export async function requireUnusedInstaller(
  { db, packages }: Pick<Services, 'db' | 'packages'>,
  name: string,
  act: 'replace' | 'remove',
): Promise<void> {
  const isNamed = (uri: string) => toPackageKey(uri) === name
  const releases = await db.select({ id: versions.id, uris: versions.uris }).from(versions)
  const release =
    releases.find(({ uris }) => uris.some(({ uri }) => isNamed(uri))) ??
    (await findListing(packages, releases, name))
  if (release === undefined || !(await packages.find(name))) return
  throw new Problem('installer-in-use', `Cannot ${act} "${name}": version "${release.id}" names it`)
}

/** The version whose registered installer is in a manifest that lists the file too: it is downloaded by that. */
async function findListing<R extends Pick<typeof versions.$inferSelect, 'id' | 'uris'>>(
  packages: Packages,
  releases: readonly R[],
  name: string,
): Promise<R | undefined> {
  for (const release of releases) {
    const keys = release.uris.map(({ uri }) => toPackageKey(uri))
    const files = (await parseManifest(packages, release.id))?.files ?? []
    const isListed = files.some(({ file }) => file === name)
    if (isListed && files.some(({ file }) => keys.includes(file))) return release
  }
  return undefined
}
