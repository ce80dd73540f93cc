/** Backups of the database and its secret, made while the service runs, and the removal of old ones. */
import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { copyDatabase } from '../db/better-sqlite3.ts'
import { toSecretPath } from '../self-hosted/secret-file.ts'
import { StartError, withStartError } from '../self-hosted/start-error.ts'

/** A folder of one backup, named by its time in UTC. */
const backupName = /^\d{8}T\d{6}\.\d{3}Z$/

export interface Backup {
  readonly folder: string
  /** False when there is no file with the secret: then it is in DS_SECRET, or the service never started. */
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
    await mkdir(partial, { recursive: true, mode: 0o700 })
    try {
      return await fill(partial, database, target)
    } finally {
      await rm(partial, { recursive: true, force: true })
    }
  })
  return { folder: target, hasSecret, removed: await removeOldest(folder, keep) }
}

async function fill(partial: string, database: string, target: string): Promise<boolean> {
  const copy = join(partial, basename(database))
  const damage = await copyDatabase(database, copy)
  if (damage !== undefined) throw new StartError(`Cannot back up "${database}": ${damage}`)
  const hasSecret = await copySecret(toSecretPath(database), toSecretPath(copy))
  await flushAll(partial)
  // A folder with the name of a backup is complete.
  await rename(partial, target)
  await flush(join(target, '..'))
  return hasSecret
}

async function copySecret(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
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

async function removeOldest(folder: string, keep: number): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => backupName.test(name)).sort()
  const removed = names.slice(0, -keep).map((name) => join(folder, name))
  for (const path of removed) await rm(path, { recursive: true, force: true })
  return removed
}
