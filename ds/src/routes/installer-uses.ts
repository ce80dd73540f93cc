/** What names the file of an installer: released versions, and their manifests. */
import { createManifestName, Problem } from '@cardwire/client/protocol'
import { versions } from '../db/schema.ts'
import { parseManifest } from '../packages/manifests.ts'
import { isFileUri, type Packages, toPackageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'
import { limitAffected, readAffectedDevices } from './count-affected.ts'

/** Some file systems, such as those of Windows and macOS, ignore case. */
const isSameFile = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase()

/** Throws `installer-in-use`: what a released version names never changes. */
export async function requireUnusedInstaller(
  services: Pick<Services, 'db' | 'packages'>,
  name: string,
  act: 'replace' | 'remove',
): Promise<void> {
  const id = await findUser(services, name)
  if (id === undefined || !(await services.packages.find(name))) return
  throw new Problem('installer-in-use', `Cannot ${act} "${name}": version "${id}" names it`)
}

/** The version that names a file, by itself or by its manifest. */
export async function findUser(
  { db, packages }: Pick<Services, 'db' | 'packages'>,
  name: string,
): Promise<string | undefined> {
  const isNamed = (uri: string) => isSameFile(toPackageKey(uri), name)
  const releases = await db.select({ id: versions.id, uris: versions.uris }).from(versions)
  const release =
    releases.find(({ uris }) => uris.some(({ uri }) => isNamed(uri))) ??
    (await findListing(packages, releases, name))
  return release?.id
}

/** Throws `reach-exceeded` where a file is a manifest whose change reaches more than `max` devices. */
export async function limitManifest(
  services: Services,
  name: string,
  max: number | undefined,
): Promise<void> {
  const countAffected = await prepareManifestReach(services, name)
  if (countAffected) await limitAffected(services, max, countAffected)
}

/**
 * Where a file is the manifest of a version, returns a function that counts the devices that the version is offered to: with another
 * manifest, or none, they may be offered another package.
 */
export async function prepareManifestReach(
  services: Services,
  name: string,
): Promise<(() => Promise<number>) | undefined> {
  const releases = await services.db.select().from(versions)
  const release = releases.find(({ id }) => isSameFile(createManifestName(id), name))
  if (release === undefined) return undefined
  // Only beside an installer of this service it has an effect.
  const uris = release.uris.map((one) => (isFileUri(one.uri) ? { os: one.os } : one))
  return async () => (await readAffectedDevices(services, release.id, { ...release, uris })).reach
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
    const isListed = files.some(({ file }) => isSameFile(file, name))
    if (isListed && files.some(({ file }) => keys.includes(file))) return release
  }
  return undefined
}
