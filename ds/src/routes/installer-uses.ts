/** What names a file in the packages: released versions and keystore configurations. */
import { Problem } from '@cardwire/client/protocol'
import { configurations, versions } from '../db/schema.ts'
import { parseManifest } from '../packages/manifests.ts'
import { type Packages, toPackageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'

/** Throws `installer-in-use`. What a released version names never changes; nor does a keystore by mistake. */
export async function requireUnused(
  { db, packages }: Pick<Services, 'db' | 'packages'>,
  name: string,
  act: 'replace' | 'remove',
): Promise<void> {
  const isNamed = (uri: string) => toPackageKey(uri) === name
  const releases = await db.select({ id: versions.id, uris: versions.uris }).from(versions)
  const release =
    releases.find(({ uris }) => uris.some(({ uri }) => isNamed(uri))) ??
    (await findListing(packages, releases, name))
  const settings = await db.select().from(configurations)
  const keystore = settings.find(({ config }) => 'uri' in config && isNamed(config.uri))
  const user = release
    ? `version "${release.id}"`
    : keystore && `the keystore configuration of version "${keystore.versionId}"`
  if (user === undefined || !(await packages.find(name))) return
  throw new Problem('installer-in-use', `Cannot ${act} "${name}": ${user} names it`)
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
