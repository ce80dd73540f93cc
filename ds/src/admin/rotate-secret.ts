/** Replaces the secret of a service that is stopped: everything that is sealed with it is sealed with another one. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { webRandom } from '../assemble.ts'
import { createVault } from '../auth/keys/vault.ts'
import { createAudit, localSource } from '../db/audit.ts'
import { openBetterSqlite3 } from '../db/better-sqlite3.ts'
import { createDatabase } from '../db/database.ts'
import { toPostgresText } from '../db/dialect.ts'
import type { RunText } from '../db/postgres.ts'
import { applyMigrations } from '../self-hosted/migrations.ts'
import { openDatabase } from '../self-hosted/open-database.ts'
import { secretLength, toSecretPath } from '../self-hosted/secret-file.ts'
import { StartError } from '../self-hosted/start-error.ts'
import type { Settings } from '../settings.ts'
import { withExclusiveDatabase } from './exclusive-database.ts'
import { type Resealed, reseal, sealedTables } from './reseal.ts'
import {
  findNextSecret,
  prepareNextSecret,
  readSecretFile,
  toPreviousPath,
  useNextSecret,
} from './secret-files.ts'

export interface RotationOptions {
  /** A file with the new secret, where DS_SECRET has the old one. */
  readonly to?: string
  /** Takes the secret from before the last rotation. */
  readonly back?: true
  /** Without it nothing is changed. */
  readonly yes?: true
}

export interface Rotation {
  readonly resealed: readonly Resealed[]
  /** What the administrator does next. */
  readonly advice: string
}

type Secret = Uint8Array<ArrayBuffer>

interface Secrets {
  readonly old: Secret
  /** The new secret, in no file yet where nothing may be changed. */
  prepare(store: boolean): Promise<Secret>
  /** Once everything has the new secret. */
  use(): Promise<void>
  readonly advice: string
}

/** Throws a StartError when the service runs, or the secrets do not fit; then nothing was changed. */
export async function rotateSecret(
  { database, secret }: Pick<Settings, 'database' | 'secret'>,
  options: RotationOptions,
): Promise<Rotation> {
  const secrets =
    secret === undefined && database.kind === 'file'
      ? await readSecretsOfFile(resolve(database.file), options)
      : await readSecretsOfSettings(secret, options)
  const createVaults = async (store: boolean) => ({
    old: await createVault(secrets.old, webRandom),
    next: await createVault(await secrets.prepare(store), webRandom),
  })
  const { driver, close } = await openDatabase(database, openBetterSqlite3)
  try {
    await applyMigrations(driver)
    if (!options.yes) {
      const vaults = await createVaults(false)
      const run = async (sql: string) => driver.run({ sql, params: [] })
      const resealed = await reseal(run, vaults, { store: false })
      return {
        resealed,
        advice:
          'Nothing was changed. Stop the service, make a backup, and run this again with --yes',
      }
    }
  } finally {
    await close()
  }
  const resealed = await withExclusiveDatabase(database, sealedTables, {
    async act(run) {
      const resealed = await reseal(run, await createVaults(true), { store: true })
      await writeAudit(run, resealed)
      return resealed
    },
    finish: secrets.use,
  })
  return { resealed, advice: secrets.advice }
}

/** In the same transaction. Nothing where an earlier rotation, which wrote its entry, was only finished. */
async function writeAudit(run: RunText, resealed: readonly Resealed[]): Promise<void> {
  const fields = resealed.filter(({ changed }) => changed > 0).map(({ field }) => field)
  if (fields.length === 0) return
  const db = createDatabase({
    run: ({ sql, params }) => run(toPostgresText(sql), params),
    batch: () => Promise.reject(new Error('Cannot store a batch: this is a transaction')),
  })
  const audit = createAudit({ db, clock: Date.now }, 'rotateSecret', localSource)
  await audit.createEntry('secret', 'DS_SECRET', fields).write()
}

async function readSecretsOfFile(
  database: string,
  { to, back }: RotationOptions,
): Promise<Secrets> {
  const path = toSecretPath(database)
  if (to !== undefined)
    throw new StartError(
      `Cannot use --to: the secret is in "${path}", and the new one is created there`,
    )
  return {
    old: await readSecretFile(path),
    prepare: async (store) =>
      store
        ? prepareNextSecret(database, back === true)
        : ((await findNextSecret(database)) ??
          (back
            ? readSecretFile(toPreviousPath(database))
            : new Uint8Array(randomBytes(secretLength)))),
    use: () => useNextSecret(database),
    advice: `The new secret is in "${path}", the previous one in "${toPreviousPath(database)}". Start the service, and make a backup. When you no longer want to go back, delete the previous one`,
  }
}

async function readSecretsOfSettings(
  old: Secret | undefined,
  { to, back }: RotationOptions,
): Promise<Secrets> {
  if (old === undefined) throw new StartError('Cannot rotate the secret: set DS_SECRET')
  if (back)
    throw new StartError(
      'Cannot use --back: DS_SECRET is set. Set it to the new secret, and name a file with the old one with --to',
    )
  if (to === undefined)
    throw new StartError(
      'Cannot rotate the secret: DS_SECRET is set, so name a file with the new one with --to; `openssl rand -base64 32` creates one',
    )
  const next = await readSecretFile(to)
  if (Buffer.from(old).equals(next))
    throw new StartError(`Cannot rotate the secret: "${to}" contains the same secret as DS_SECRET`)
  return {
    old,
    prepare: async () => next,
    use: async () => undefined,
    advice: `Set DS_SECRET to the content of "${to}" on every node, and start the service. Keep the old secret until you have made a backup`,
  }
}
