/** Files of a data folder that cannot be used any more: each is kept beside its place, and its loss is reported. */
import { randomBytes } from 'node:crypto'
import { chmodSync, constants, copyFileSync, readdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Log } from './log.ts'

/** What follows from the loss of each file, by its name. */
const consequences: Readonly<Record<string, string>> = {
  'identity-key.pem': 'this connector registers as a new device',
  'service.json':
    'the connector fetches the service’s reply again, and registers again if it has to',
  'keystore.json': 'the connector fetches the keystore from the service again',
  'keystore.pem': 'the connector fetches the keystore from the service again',
  'page-key.pem': 'responses are signed with a new key',
  'page-key-certificate.pem': 'the key that signs responses gets a new certificate',
  'rootCA.pem':
    'a new root certificate is created; to make browsers trust it, run cardwire certs install',
  'rootCA-key.pem':
    'the root certificate can no longer sign, and is replaced when the localhost certificate is renewed',
  'localhost.pem': 'a new localhost certificate is created',
  'localhost-key.pem': 'a new localhost certificate is created',
  'clock.json': 'the connector trusts the current time',
  'state.db': 'pages need new consents',
  'state.db.revision': 'the connector cannot tell if state.db is replaced with an older copy',
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
  log.warn(`${name} is damaged and is replaced: ${consequences[name] ?? 'it starts empty'}`, {
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
