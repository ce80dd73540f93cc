/** What Node and Deno do before they serve: folders, migrations, secret, first administrator. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import { assemble, type Runtime, random } from '../assemble.ts'
import { ensureAdministrator } from '../auth/embedded.ts'
import { scryptPasswords } from '../auth/password.ts'
import { type Driver, database } from '../db/database.ts'
import { signingKeys } from '../db/schema.ts'
import type { Services } from '../services.ts'
import type { Settings } from '../settings.ts'
import { nodeDigest } from './digest.ts'
import { filePackages } from './files.ts'
import { inTurn } from './in-turn.ts'
import { memoryLimits } from './limits.ts'
import { applyMigrations } from './migrations.ts'
import { makePassword } from './passwords.ts'
import { localSecret } from './secret.ts'
import { trying } from './start-error.ts'
import { packageViewer } from './viewer.ts'

/** The folders must be there before a driver opens the file. All that is made is its owner's alone: it holds secrets. */
export async function prepareFolders({ database, packagesDir }: Settings): Promise<void> {
  process.umask(0o077)
  const make = (folder: string, setting: string) =>
    trying(`make the folder "${resolve(folder)}" (${setting})`, () =>
      mkdir(folder, { recursive: true }),
    )
  await make(dirname(database), 'DS_DATABASE')
  await make(packagesDir, 'DS_PACKAGES_DIR')
}

/** The services of a machine of one's own; only what the runtime does its own way is handed in. */
export async function localServices(
  brought: Pick<Runtime, 'settings' | 'url' | 'driver' | 'log' | 'metrics' | 'peer'>,
): Promise<Services> {
  const { settings, driver } = brought
  await applyMigrations(driver)
  return assemble({
    ...brought,
    secret: settings.secret ?? (await localSecret(settings.database, await hasKeys(driver))),
    packages: filePackages(settings.packagesDir),
    digest: nodeDigest,
    passwords: inTurn(scryptPasswords(random)),
    limits: memoryLimits(settings.tokenLimit),
    viewer: packageViewer,
  })
}

/** Makes the first administrator where there is none; answers with its password when nobody chose one. */
export async function firstAdministrator(services: Services): Promise<string | undefined> {
  const { settings, identity } = services
  if (!identity.embedded) return undefined
  const password = settings.adminPassword ?? makePassword()
  const made = await ensureAdministrator(services, settings.adminUser, password)
  return made && settings.adminPassword === undefined ? password : undefined
}

/** Whether something in the database is wrapped already: then a new secret would be the wrong one. */
async function hasKeys(driver: Driver): Promise<boolean> {
  return (await database(driver).$count(signingKeys)) > 0
}
