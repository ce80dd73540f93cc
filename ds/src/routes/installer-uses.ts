/** What names the file of an installer: released versions, and their manifests. */
import { createManifestName, Problem } from '@cardwire/protocol'
import { and, eq, or } from 'drizzle-orm'
import { versions } from '../db/schema.ts'
import { parseManifest } from '../packages/manifests.ts'
import { isFileUri, toPackageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'
import { limitAffected, readAffectedDevices } from './count-affected.ts'
import { offeringOnly, requireNoRollout } from './version-rollout.ts'

/** Some file systems, such as those of Windows and macOS, ignore case. */
export const isSameFile = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase()

/** Throws `installer-in-use`: what a released version names never changes. */
export async function requireUnusedInstaller(
  services: Pick<Services, 'reader' | 'packages'>,
  name: string,
  act: 'replace' | 'remove',
): Promise<void> {
  const id = await findUser(services, name)
  if (id === undefined || !(await services.packages.find(name))) return
  throw new Problem('installer-in-use', `Cannot ${act} "${name}": version "${id}" names it`)
}

/** The version that names a file, by itself or by its manifest. */
export async function findUser(
  { reader, packages }: Pick<Services, 'reader' | 'packages'>,
  name: string,
): Promise<string | undefined> {
  const { contains } = reader.sqlDialect
  const { id, uris } = versions
  const isFile = contains(uris, 'file:///')
  // An address may write any character as `%` and two digits; the database ignores the case of ASCII letters only.
  const mayName = /^[ -~]*$/.test(name)
    ? or(contains(uris, JSON.stringify(name).slice(1, -1)), contains(uris, '%'))
    : undefined
  const releases = await reader.select({ id, uris }).from(versions).where(and(isFile, mayName))
  const release = releases.find((one) =>
    one.uris.some(({ uri }) => isSameFile(toPackageKey(uri), name)),
  )
  if (release) return release.id
  const all = await reader.select({ id }).from(versions).where(isFile)
  return findListing({ reader, packages }, all, name)
}

/** Throws `reach-exceeded` where a file is a manifest whose change reaches more than `max` devices. */
export async function limitManifest(
  services: Services,
  name: string,
  max: number | undefined,
): Promise<void> {
  const release = await findManifestRelease(services, name)
  if (!release) return
  // Devices that a rollout reaches are offered its packages, whatever the flags say.
  await requireNoRollout(services, release.id, 'change the manifest of', offeringOnly)
  await limitAffected(services, max, prepareReach(services, release))
}

/**
 * Where a file is the manifest of a version, returns a function that counts the devices that the version is offered to: with another
 * manifest, or none, they may be offered another package.
 */
export async function prepareManifestReach(
  services: Services,
  name: string,
): Promise<(() => Promise<number>) | undefined> {
  const release = await findManifestRelease(services, name)
  return release && prepareReach(services, release)
}

type Release = typeof versions.$inferSelect

/** The version whose manifest a file is. */
async function findManifestRelease(services: Services, name: string): Promise<Release | undefined> {
  const ids = await services.reader.select({ id: versions.id }).from(versions)
  const found = ids.find(({ id }) => isSameFile(createManifestName(id), name))
  return found && readRelease(services, found.id)
}

function prepareReach(services: Services, release: Release): () => Promise<number> {
  // Only beside an installer of this service it has an effect.
  const uris = release.uris.map((one) => (isFileUri(one.uri) ? { os: one.os } : one))
  return async () => (await readAffectedDevices(services, release.id, { ...release, uris })).reach
}

async function readRelease({ reader }: Pick<Services, 'reader'>, id: string) {
  const [row] = await reader.select().from(versions).where(eq(versions.id, id))
  return row
}

/** The version whose registered installer is in a manifest that lists the file too: it is downloaded by that. */
async function findListing(
  services: Pick<Services, 'reader' | 'packages'>,
  releases: readonly { readonly id: string }[],
  name: string,
): Promise<string | undefined> {
  for (const { id } of releases) {
    const files = (await parseManifest(services.packages, id))?.files ?? []
    if (!files.some(({ file }) => isSameFile(file, name))) continue
    const keys = (await readRelease(services, id))?.uris.map(({ uri }) => toPackageKey(uri))
    if (files.some(({ file }) => keys?.includes(file))) return id
  }
  return undefined
}
