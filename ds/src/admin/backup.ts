/** Backups of the database and its secret, made while the service runs, and the removal of old ones. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { webRandom } from '../assemble.ts'
import { createVault } from '../auth/keys/vault.ts'
import { copyDatabase } from '../db/better-sqlite3.ts'
import type { Row } from '../db/database.ts'
import type { RunText } from '../db/postgres.ts'
import { toSecretPath } from '../self-hosted/secret-file.ts'
import { StartError, withStartError } from '../self-hosted/start-error.ts'
import { opens } from './reseal.ts'
import { readSecrets, storeSecret } from './secret-files.ts'

/** A folder of one backup, named by its time in UTC; while it is made it has another name. */
const backupName = /^\d{8}T\d{6}\.\d{3}Z$/
const partialName = /^\.\d{8}T\d{6}\.\d{3}Z\.partial$/

/** No backup takes as long: an older partial one is of a command that was killed. In milliseconds. */
const maxBackupMs = 86_400_000

export interface Backup {
  readonly folder: string
  /** False when no file has the secret of the database: then it is in DS_SECRET, or the service never started. */
  readonly hasSecret: boolean
  /** The folders of older backups that were removed. */
  readonly removed: readonly string[]
}

/**
 * Copies the database and its secret into a new folder of `folder`, readable by the owner of the process alone, and then
 * removes the oldest backups there beyond `keep`. A copy that fails leaves no folder, and removes nothing.
 */
export async function backUp(
  database: string,
  folder: string,
  { keep, now }: { readonly keep: number; readonly now: number },
): Promise<Backup> {
  const name = new Date(now).toISOString().replaceAll(/[-:]/g, '')
  const target = join(folder, name)
  const partial = join(folder, `.${name}.partial`)
  const hasSecret = await withStartError(`back up "${database}" to "${target}"`, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // One that is there already may have other files, be open to others, or belong to another account.
    await mkdir(partial, { mode: 0o700 })
    try {
      await removeAbandoned(folder)
      return await fill(partial, database, target)
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  })
  return { folder: target, hasSecret, removed: await removeOldest(folder, name, keep) }
}

/** Each is a copy of the database with its secret. */
async function removeAbandoned(folder: string): Promise<void> {
  const oldest = Date.now() - maxBackupMs
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (partialName.test(name) && (await stat(path)).mtimeMs < oldest)
      await rm(path, { recursive: true, force: true })
  }
}

async function fill(partial: string, database: string, target: string): Promise<boolean> {
  const copy = join(partial, basename(database))
  let secrets: readonly Uint8Array<ArrayBuffer>[] = []
  const damage = await copyDatabase(database, copy, async () => {
    secrets = await readSecrets(database)
  })
  if (damage !== undefined) throw new StartError(`Cannot back up "${database}": ${damage}`)
  const secret = await findSecretOf(copy, secrets)
  if (secret !== undefined) await storeSecret(toSecretPath(copy), secret)
  await flushAll(partial)
  // A folder with the name of a backup is complete.
  await rename(partial, target)
  await flush(join(target, '..'))
  return secret !== undefined
}

/** The first one that opens what the database has. */
async function findSecretOf(
  database: string,
  secrets: readonly Uint8Array<ArrayBuffer>[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const connection = new Sqlite(database, { readonly: true })
  try {
    const run: RunText = async (text) => connection.prepare(text).raw().all() as Row[]
    for (const secret of secrets)
      if (await opens(run, await createVault(secret, webRandom))) return secret
    return undefined
  } finally {
    connection.close()
  }
}

async function flushAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await flush(join(folder, name))
  await flush(folder)
}

async function flush(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Never the one that was just `made`. A name of a later time was given while the clock was ahead, or is now behind: those go
 * first, so that each new backup takes the place of one.
 */
async function removeOldest(
  folder: string,
  made: string,
  keep: number,
): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => backupName.test(name) && name !== made)
  const ahead = names.filter((name) => name > made).sort()
  const before = names.filter((name) => name < made).sort()
  const removed = [...ahead, ...before]
    .slice(0, Math.max(0, names.length + 1 - keep))
    .map((name) => join(folder, name))
  for (const path of removed) await rm(path, { recursive: true, force: true })
  return removed
}
