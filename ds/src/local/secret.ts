/** The secret beside the database file: made at the first start, readable by its owner alone. */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { StartError } from './start-error.ts'

const secretFile = (database: string) => `${database}.secret`

/** The 32 bytes in the file. Made when there is none, unless something was wrapped with the one that is missing. */
export async function localSecret(
  database: string,
  needed: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const path = secretFile(database)
  if (needed && !(await readFile(path).catch(() => undefined))) {
    throw new StartError(
      `Cannot find the secret "${path}": restore it from a backup, or set DS_SECRET`,
    )
  }
  const made = `${randomBytes(32).toString('base64')}\n`
  // wx: of two that start at once, one makes it and both read it.
  await writeFile(path, made, { mode: 0o600, flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const bytes = new Uint8Array(Buffer.from(await readFile(path, 'utf8'), 'base64'))
  if (bytes.length !== 32) {
    throw new StartError(
      `Cannot read the secret "${path}": it holds ${bytes.length} bytes, expected 32; restore it from a backup`,
    )
  }
  return bytes
}
