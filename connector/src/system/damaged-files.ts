/** Files of a data folder that cannot be used any more: each is kept beside its place, and its loss is reported. */
import { randomBytes } from 'node:crypto'
import { chmodSync, constants, copyFileSync, readdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Log } from './log.ts'

/** What follows from the loss of each file, by its name. */
const consequences: Readonly<Record<string, string>> = {
  'identity-key.pem': 'this connector registers as another device',
  'service.json':
    'what the service has said is fetched again, by a registration where that is lost too',
  'keystore.json': 'the keystore of the service is fetched again',
  'keystore.pem': 'the keystore of the service is fetched again',
  'page-key.pem': 'responses are signed with a new key',
  'page-key-certificate.pem': 'the key of the responses gets a new certificate',
  'rootCA.pem': 'the root is made anew, and browsers have to trust it: cardwire certs install',
  'rootCA-key.pem': 'the root cannot sign any more, and is made anew with the next certificate',
  'localhost.pem': 'the certificate of localhost is made anew',
  'localhost-key.pem': 'the certificate of localhost is made anew',
  'clock.json': 'the present reading of the clock is trusted',
  'state.db': 'pages need new consents',
  'state.db.revision': 'an older state database goes unnoticed',
}

const separator = '.damaged-'

/** A path beside a file, which no other file has. */
export function createDamagedPath(path: string, now = Date.now()): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return `${path}${separator}${time}-${randomBytes(3).toString('hex')}`
}

/**
 * Copies a file, or moves it where it cannot be read, to a path of its own, which only the owner can read; the caller
 * replaces the file. Logs it with its consequence. Does nothing when there is no file; throws when neither is possible.
 */
export function keepDamagedFile(path: string, log: Pick<Log, 'warn'>): void {
  const kept = createDamagedPath(path)
  try {
    copyFileSync(path, kept, constants.COPYFILE_EXCL)
  } catch (error) {
    if (isAbsent(error)) return
    renameSync(path, kept)
  }
  chmodSync(kept, 0o600)
  const name = basename(path)
  log.warn(`${name} is damaged and is replaced: ${consequences[name] ?? 'it begins anew'}`, {
    path,
    kept,
  })
}

export interface DamagedFile {
  readonly path: string
  /** The name that the file had. */
  readonly name: string
  /** The day on which it was replaced, as ISO 8601 writes it. */
  readonly day: string
  readonly consequence: string | undefined
}

/** The files that were kept in a folder, the oldest first; none when it cannot be read. */
export function listDamagedFiles(folder: string): readonly DamagedFile[] {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .flatMap((file) => {
      const [, name = '', year, month, day] =
        /^(.+)\.damaged-(\d{4})(\d{2})(\d{2})T\d{6}Z-[\da-f]{6}$/.exec(file) ?? []
      if (name === '') return []
      return { path: join(folder, file), name, day: `${year}-${month}-${day}` }
    })
    .map((found) => ({ ...found, consequence: consequences[found.name] }))
    .toSorted((one, other) => one.day.localeCompare(other.day))
}

const isAbsent = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
