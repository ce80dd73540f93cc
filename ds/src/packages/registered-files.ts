/** Whether the files can be read that versions and keystore configurations name. */
import { desc, eq } from 'drizzle-orm'
import type { Reader } from '../db/database.ts'
import { describeError } from '../db/describe-error.ts'
import { configurations, versions } from '../db/schema.ts'
import { createSingleFlight } from '../db/single-flight.ts'
import type { Clock, Log } from '../ports.ts'
import { isFileUri, type Packages, toPackageKey } from './packages.ts'

/** `missing`: a folder or bucket does not have one of them; `unreachable`: it does not answer. */
export type FilesState = 'readable' | 'missing' | 'unreachable'

/** Answers within seconds, from what was found in the last minute. */
export type CheckFiles = () => Promise<FilesState>

/** How long a result counts, in milliseconds: anyone may ask, and each file is a request to a bucket. */
const intervalMs = { readable: 60_000, missing: 5000, unreachable: 5000 } as const
/** How many versions and how many configurations are looked at, the newest. */
const maxRows = 100
const maxConcurrent = 8
/** What takes longer, in milliseconds, cannot be reached in time: a load balancer waits for the answer. */
const answerMs = 2000

interface FileCheckParts {
  readonly reader: Reader
  readonly packages: Packages
  readonly keystores: Packages
  readonly clock: Clock
  readonly log: Log
}

export function createFileCheck(parts: FileCheckParts): CheckFiles {
  const { clock, log } = parts
  let last: { readonly state: FilesState; readonly at: number } | undefined
  const singleFlight = createSingleFlight(clock)
  const find = () =>
    last && Math.abs(clock() - last.at) < intervalMs[last.state] ? { value: last.state } : undefined

  async function check(): Promise<FilesState> {
    const { state, missing } = await findState(parts)
    if (state === 'missing') log.error('registered files missing', { files: missing })
    last = { state, at: clock() }
    return state
  }

  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<FilesState>()
    const timer = setTimeout(() => resolve('unreachable'), answerMs)
    const checking = singleFlight('files', find, check)
    // When it fails, no request may wait for it any more.
    checking.catch(() => undefined)
    return Promise.race([checking, late]).finally(() => clearTimeout(timer))
  }
}

interface Found {
  readonly state: FilesState
  readonly missing: readonly string[]
}

async function findState({ log, ...parts }: FileCheckParts): Promise<Found> {
  const files = await listRegistered(parts)
  const missing: string[] = []
  try {
    for (let at = 0; at < files.length; at += maxConcurrent)
      await Promise.all(
        files.slice(at, at + maxConcurrent).map(async ({ store, uri }) => {
          const key = toPackageKey(uri)
          if (key === undefined || !(await parts[store].find(key))) missing.push(uri)
        }),
      )
  } catch (error) {
    log.error('registered files unreachable', { error: describeError(error) })
    return { state: 'unreachable', missing }
  }
  return { state: missing.length > 0 ? 'missing' : 'readable', missing }
}

async function listRegistered({ reader }: Pick<FileCheckParts, 'reader'>) {
  const installers = await reader
    .select({ uris: versions.uris })
    .from(versions)
    .orderBy(desc(versions.updatedAt), versions.id)
    .limit(maxRows)
  const keystores = await reader
    .select({ config: configurations.config })
    .from(configurations)
    .where(eq(configurations.type, 'SSL_KEYSTORE'))
    .orderBy(desc(configurations.updatedAt), configurations.id)
    .limit(maxRows)
  return [
    ...toFiles(
      'packages',
      installers.flatMap(({ uris }) => uris.map(({ uri }) => uri)),
    ),
    ...toFiles(
      'keystores',
      keystores.flatMap(({ config }) => ('uri' in config ? [config.uri] : [])),
    ),
  ]
}

const toFiles = (store: 'packages' | 'keystores', uris: readonly string[]) =>
  [...new Set(uris.filter(isFileUri))].map((uri) => ({ store, uri }))
