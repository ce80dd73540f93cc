/** The secret in a file beside the database: created at the first start, readable by its owner alone. */
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { StartError } from './start-error.ts'

/** In bytes. */
export const secretLength = 32

/** The file of the secret of a database. */
export const toSecretPath = (database: string) => `${database}.secret`

/** The 32 bytes in the file. Creates the file when there is none; throws when the database needs the missing one (`isNeeded`). */
export async function readOrCreateSecret(
  database: string,
  isNeeded: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const path = toSecretPath(database)
  if (isNeeded && !(await readFile(path).catch(() => undefined))) {
    throw new StartError(
      `Cannot find the secret "${path}": restore it from a backup, or set DS_SECRET`,
    )
  }
  const content = `${randomBytes(secretLength).toString('base64')}\n`
  // wx: of two services that start at once, one creates the file and both read it.
  await writeFile(path, content, { mode: 0o600, flag: 'wx' }).catch(async (error) => {
    if (error.code === 'EEXIST') return
    // A file without the secret in it would stop the next start, too.
    await rm(path, { force: true })
    throw error
  })
  return parseSecret(path, await readFile(path, 'utf8'))
}

/** The 32 bytes that a file has in base64. Throws a StartError. */
export function parseSecret(path: string, content: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Buffer.from(content, 'base64'))
  if (bytes.length !== secretLength) {
    throw new StartError(
      `Cannot read the secret "${path}": it holds ${bytes.length} bytes, expected ${secretLength}; restore it from a backup`,
    )
  }
  return bytes
}
