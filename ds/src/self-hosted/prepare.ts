/** Prepares the service on Node and Deno: folders, migrations, secret, first administrator. */
import { access, constants, mkdir, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import process from 'node:process'
import { assembleServices, type Runtime, webRandom } from '../assemble.ts'
import { ensureFirstAdministrator, hasAdministrator } from '../auth/identity/first-administrator.ts'
import { generatePassword } from '../auth/identity/generate-password.ts'
import { createScryptPasswords } from '../auth/identity/password.ts'
import { createDatabase, type Driver } from '../db/database.ts'
import { signingKeys } from '../db/schema.ts'
import { openKeystore } from '../packages/open-keystore.ts'
import type { Services } from '../services.ts'
import type { Settings } from '../settings.ts'
import { digestWithNode } from './digest.ts'
import { createFilePackages } from './file-packages.ts'
import { limitKeystores } from './limit-keystores.ts'
import { limitPasswords } from './limit-passwords.ts'
import { createMemoryLimits } from './memory-limits.ts'
import { applyMigrations } from './migrations.ts'
import { createWebhookPost } from './post-webhook.ts'
import { hasNameIndexes } from './postgres-migrations.ts'
import { readDocument } from './read-document.ts'
import { readOrCreateSecret } from './secret-file.ts'
import { createSharedLimits } from './shared-limits.ts'
import { StartError, withStartError } from './start-error.ts'

/** Creates the folders of the database and the files, only for the owner of the process: they hold secrets. */
export async function createFolders(settings: Settings): Promise<void> {
  const { database, packagesDir } = settings
  const keystoresDir = getKeystoresDir(settings)
  process.umask(0o077)
  const create = (folder: string, setting: string) =>
    withStartError(`create the folder "${resolve(folder)}" (${setting})`, () =>
      mkdir(folder, { recursive: true }),
    )
  if (database.kind === 'file') {
    const folder = dirname(database.file)
    await create(folder, 'DS_DATABASE')
    // SQLite says no more than that it cannot open a file.
    await withStartError(`write to the folder "${resolve(folder)}" (DS_DATABASE)`, () =>
      access(folder, constants.W_OK),
    )
  }
  if (settings.bucket) return
  await create(packagesDir, 'DS_PACKAGES_DIR')
  await create(keystoresDir, 'DS_KEYSTORES_DIR')
  await checkSeparate(packagesDir, keystoresDir)
  // A link may lead to it: SQLite keeps its other files beside the file, and the secret lies beside the link.
  if (database.kind === 'file')
    for (const path of [dirname(database.file), database.file])
      await requireElsewhere('the database', path, settings)
}

const getKeystoresDir = ({ packagesDir, keystoresDir }: Settings): string =>
  keystoresDir ?? join(dirname(packagesDir), 'keystores')

const isBelow = (path: string, top: string) => `${path}${sep}`.startsWith(`${top}${sep}`)

/** Anyone may download a package: a keystore below its folder would be one. */
async function checkSeparate(...folders: readonly string[]): Promise<void> {
  const [packages = '', keystores = ''] = await Promise.all(folders.map((path) => realpath(path)))
  if (isBelow(keystores, packages) || isBelow(packages, keystores))
    throw new StartError(
      `Cannot keep keystores in "${keystores}" (DS_KEYSTORES_DIR) and packages in "${packages}" (DS_PACKAGES_DIR): neither may be in the other`,
    )
}

/** Throws a StartError for a place of secrets where they would be files that a publisher names, replaces and removes. */
export async function requireElsewhere(
  what: string,
  path: string,
  settings: Settings,
): Promise<void> {
  const real = await resolveLinks(resolve(path))
  for (const [setting, top] of [
    ['DS_PACKAGES_DIR', settings.packagesDir],
    ['DS_KEYSTORES_DIR', getKeystoresDir(settings)],
  ] as const)
    if (isBelow(real, await resolveLinks(resolve(top))))
      throw new StartError(
        `Cannot keep ${what} in "${real}": files in "${top}" (${setting}) can be downloaded and replaced`,
      )
}

/** The absolute path without links, as far as it exists. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // What a link leads to need not exist either.
    const target = await readlink(path).catch(() => undefined)
    return target === undefined
      ? join(await resolveLinks(dirname(path)), basename(path))
      : resolveLinks(resolve(await realpath(dirname(path)), target))
  }
}

/** The services on Node and Deno, given what differs between the two. */
export async function createSelfHostedServices(
  given: Pick<
    Runtime,
    | 'settings'
    | 'url'
    | 'driver'
    | 'log'
    | 'metrics'
    | 'getPeerAddress'
    | 'allowLongBody'
    | 'holdResponse'
    | 'checkIntegrity'
    | 'stopping'
    | 'runInBackground'
    | 'schedule'
  >,
): Promise<Services> {
  const { settings, driver, log } = given
  await applyMigrations(driver)
  if (settings.database.kind !== 'file' && !(await hasNameIndexes(driver)))
    log.warn('names are searched without pg_trgm', {})
  const limits =
    settings.database.kind === 'file'
      ? createMemoryLimits(settings)
      : createSharedLimits(driver, settings)
  return assembleServices({
    ...given,
    secret: await readSecret(settings, driver),
    ...(await openFiles(settings, log)),
    digest: digestWithNode,
    openKeystore: limitKeystores(openKeystore),
    passwords: limitPasswords(createScryptPasswords(webRandom)),
    limits,
    postWebhook: createWebhookPost(settings),
    readDocument,
  })
}

/** Installers and keystores: in a bucket that the nodes share, or in folders. */
async function openFiles(
  settings: Settings,
  log: Services['log'],
): Promise<Pick<Services, 'packages' | 'keystores'>> {
  const { bucket, packagesDir, downloadLimit } = settings
  if (bucket) {
    // Not needed, and not in memory, with folders.
    const { openBucket } = await import('./bucket/open-bucket.ts')
    return openBucket(bucket, { log, maxDownloads: downloadLimit })
  }
  return {
    packages: createFilePackages(packagesDir, downloadLimit),
    keystores: createFilePackages(getKeystoresDir(settings), downloadLimit),
  }
}

/** Whom a first start leaves to the administrator: someone with a new password, or no one; undefined: nothing is to do. */
export type FirstAdministrator = { readonly password: string } | 'missing' | undefined

/**
 * Creates the first administrator when there is none. A password is generated only if a terminal shows it: a journal and the log of
 * a container keep what is printed, and others read them.
 */
export async function createFirstAdministrator(
  services: Services,
  isOnTerminal: boolean,
): Promise<FirstAdministrator> {
  const { settings, identity, db } = services
  if (!identity.embedded) return undefined
  const { adminUser, adminPassword } = settings
  if (adminPassword !== undefined) {
    await ensureFirstAdministrator(services, adminUser, adminPassword)
    return undefined
  }
  if (!isOnTerminal) return (await hasAdministrator(db)) ? undefined : 'missing'
  const password = generatePassword(webRandom)
  return (await ensureFirstAdministrator(services, adminUser, password)) ? { password } : undefined
}

/** The settings have one wherever the database is no file. */
export async function readSecret({ secret, database }: Settings, driver: Driver) {
  if (secret !== undefined) return secret
  if (database.kind === 'file') return readOrCreateSecret(database.file, await hasKeys(driver))
  throw new StartError('Cannot read the secret: set DS_SECRET')
}

/** Whether keys in the database are wrapped already, which a new secret could not unwrap. */
async function hasKeys(driver: Driver): Promise<boolean> {
  return (await createDatabase(driver).$count(signingKeys)) > 0
}
