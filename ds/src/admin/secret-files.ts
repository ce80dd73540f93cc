/** The files of a secret that lies beside its database, while it is rotated. */
import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseSecret, secretLength, toSecretPath } from '../self-hosted/secret-file.ts'
import { StartError } from '../self-hosted/start-error.ts'

export const toPreviousPath = (database: string) => `${toSecretPath(database)}.previous`
/** The secret of a rotation that has begun. After the commit it is the only one that opens the database. */
const toNextPath = (database: string) => `${toSecretPath(database)}.next`

type Secret = Uint8Array<ArrayBuffer>

/** The secret in a file. Throws a StartError when there is none. */
export async function readSecretFile(path: string): Promise<Secret> {
  const secret = await findSecret(path)
  if (secret === undefined) throw new StartError(`Cannot find the secret "${path}"`)
  return secret
}

/** The secret of a rotation that was interrupted. */
export const findNextSecret = (database: string) => findSecret(toNextPath(database))

/**
 * Stores the secret that comes next, and a copy of the one in use, before anything is sealed with it. Continues with that of
 * an interrupted rotation, which may be in the database. `back`: the secret before this one is next.
 */
export async function prepareNextSecret(database: string, back: boolean): Promise<Secret> {
  const [path, next] = [toSecretPath(database), toNextPath(database)]
  const begun = await findSecret(next)
  if (begun && back)
    throw new StartError(
      'Cannot go back: a rotation was interrupted. Run "secret rotate --yes" first, which finishes it',
    )
  const previous = toPreviousPath(database)
  const secret =
    begun ?? (back ? await readSecretFile(previous) : new Uint8Array(randomBytes(secretLength)))
  if (!begun) await storeSecret(next, secret)
  await store(previous, await readFile(path, 'utf8'))
  return secret
}

/** The secret that came next is the one in use. */
export const useNextSecret = (database: string) =>
  replace(toNextPath(database), toSecretPath(database))

/** The secrets beside a database, of which one opens it: that of a rotation that was interrupted is not in use yet. */
export async function readSecrets(database: string): Promise<readonly Secret[]> {
  const found = [await findSecret(toSecretPath(database)), await findSecret(toNextPath(database))]
  return found.filter((secret) => secret !== undefined)
}

/** Whole or not at all, for the owner of the process only. */
export const storeSecret = (path: string, secret: Secret): Promise<void> =>
  store(path, `${Buffer.from(secret).toString('base64')}\n`)

async function findSecret(path: string): Promise<Secret | undefined> {
  try {
    return parseSecret(path, await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function store(path: string, content: string): Promise<void> {
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const file = await open(partial, 'wx', 0o600)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
  await replace(partial, path)
}

/** Also when the power fails. */
async function replace(from: string, to: string): Promise<void> {
  await flush(from)
  await rename(from, to)
  await flush(dirname(to))
}

async function flush(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
