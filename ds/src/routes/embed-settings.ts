/** Writes the values of the service into the slot of an installer as it is served (docs/decisions/0070). */
import { isSlot, slotLength, writeSlot } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { sealed } from '../auth/keys/sealed.ts'
import { deleteBeyond } from '../db/delete-beyond.ts'
import { stampedKeys, versions } from '../db/schema.ts'
import { hashKey } from '../gateway/builtin-keys.ts'
import { parseManifest, readBytes } from '../packages/manifests.ts'
import { overlayPackage, type Package } from '../packages/packages.ts'
import { nodeClockSkewS } from '../rules/steady-clock.ts'
import type { Services } from '../services.ts'

type EmbeddingServices = Pick<
  Services,
  | 'settings'
  | 'db'
  | 'vault'
  | 'gateway'
  | 'keyring'
  | 'packages'
  | 'url'
  | 'digest'
  | 'log'
  | 'clock'
>

/** How many hashes are kept: packages with older keys are no longer in use. */
const keptStampedKeys = 10_000

/**
 * Keeps the installation key of a version for its packages; the service has only its hash otherwise. Where packages are not
 * stamped any more, a new key takes the place of the one that they have. The hash of a stamped key stays: a user who has such a
 * package has the key, also when the version gets it again, or another one does.
 */
export async function keepInstallationKey(
  services: Pick<EmbeddingServices, 'settings' | 'db' | 'vault' | 'digest' | 'clock'>,
  version: string,
  key: string,
): Promise<void> {
  const { settings, db, vault } = services
  const id = sealed.installationKey.toRow(version)
  const wrappedBefore = await readWrappedKey(db, version)
  const before = typeof wrappedBefore === 'string' ? await vault.unwrap(wrappedBefore, id) : null
  if (!settings.embedSettings && (before === null || before === key)) return
  const stamped = settings.embedSettings ? key : null
  const wrappedKey = stamped === null ? null : await vault.wrap(stamped, id)
  await db.batch([
    db.update(versions).set({ wrappedKey }).where(eq(versions.id, version)),
    // The one before, too: where another gateway has the keys, no migration could know its hash.
    ...(await prepareStampedKeys(services, [before, stamped])),
  ])
}

async function prepareStampedKeys(
  { db, digest, clock }: Pick<EmbeddingServices, 'db' | 'digest' | 'clock'>,
  keys: readonly (string | null)[],
) {
  const now = clock()
  const known = keys.filter((key) => key !== null)
  const hashes = await Promise.all(known.map((key) => hashKey(digest, key)))
  return [
    ...hashes.map((hash) =>
      db.insert(stampedKeys).values({ hash, createdAt: now }).onConflictDoNothing(),
    ),
    deleteBeyond(db, stampedKeys, stampedKeys.createdAt, {
      keep: keptStampedKeys,
      latest: now + nodeClockSkewS * 1000,
    }),
  ]
}

/**
 * Whether everybody may have an installation key that a registration came with: it was stamped into packages once. Of a version
 * that is gone is unknown, so its key counts as public.
 */
export async function isKeyPublic(
  { db, digest }: Pick<EmbeddingServices, 'db' | 'digest'>,
  version: string,
  key: string,
): Promise<boolean> {
  const hash = await hashKey(digest, key)
  const [row] = await db
    .select({ hash: stampedKeys.hash })
    .from(stampedKeys)
    .where(eq(stampedKeys.hash, hash))
  // Where another gateway has the keys, those of before have no hash here.
  return row !== undefined || (await readWrappedKey(db, version)) !== null
}

/** undefined: there is no such version. */
async function readWrappedKey(
  db: EmbeddingServices['db'],
  version: string,
): Promise<string | null | undefined> {
  const [row] = await db
    .select({ wrappedKey: versions.wrappedKey })
    .from(versions)
    .where(eq(versions.id, version))
  return row?.wrappedKey
}

/** The file with the values of the service in it; as it is where it has no slot, or no key is known. */
export async function embedSettings(
  services: EmbeddingServices,
  version: string,
  key: string,
  file: Package,
): Promise<Package> {
  if (!services.settings.embedSettings) return file
  const offset = await findSlot(services, version, key, file)
  if (offset === undefined) return file
  const installationKey = await findInstallationKey(services, version)
  if (installationKey === undefined) {
    services.log.warn('installer not stamped', { version, reason: 'no installation key is known' })
    return file
  }
  const fingerprints = (await services.keyring.list('reply')).map(({ id }) => id)
  const bytes = writeSlot({ url: services.url, installationKey, fingerprints })
  if (!bytes) {
    services.log.warn('installer not stamped', { version, reason: 'the values are too long' })
    return file
  }
  return overlayPackage(file, { offset, bytes }, (await services.digest(bytes)).slice(0, 16))
}

/** Where the manifest of the version says that the file has a slot, and it has an empty one. */
async function findSlot(
  { packages, log }: EmbeddingServices,
  version: string,
  key: string,
  file: Package,
): Promise<number | undefined> {
  const name = key.slice(key.lastIndexOf('/') + 1)
  const listed = (await parseManifest(packages, version))?.files.find((one) => one.file === name)
  if (!listed?.slot) return undefined
  const { offset, length } = listed.slot
  const isFitting =
    listed.size === file.size && length === slotLength && offset + length <= file.size
  if (isFitting && isEmptySlot(await readBytes(file, offset, length))) return offset
  log.warn('installer not stamped', { version, reason: 'it is not the file of the manifest' })
  return undefined
}

/** Of a version whose key was replaced meanwhile there is none. */
async function findInstallationKey(
  { db, vault, gateway }: EmbeddingServices,
  version: string,
): Promise<string | undefined> {
  const wrappedKey = await readWrappedKey(db, version)
  if (!wrappedKey) return undefined
  const key = await vault.unwrap(wrappedKey, sealed.installationKey.toRow(version))
  const consumer = await gateway.lookup(key)
  return consumer?.kind === 'registration' && consumer.id === version ? key : undefined
}

const isEmptySlot = (bytes: Uint8Array) =>
  isSlot(bytes) && new TextDecoder().decode(bytes).trimEnd().split('\n').length === 1
