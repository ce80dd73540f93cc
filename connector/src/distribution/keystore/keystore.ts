/** The TLS keystore that the service provides: fetched, decrypted, stored, and replaced when the policy names another one. */
import { join } from 'node:path'
import type { Keystore as KeystoreReference } from '@cardwire/protocol/sync'
import { KeystoreRefused } from '../../../../pkcs12/keystore-refused.ts'
import { keepDamagedFile } from '../../system/damaged-files.ts'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import { DsError } from '../client/ds-response.ts'
import type { Identity } from '../client/identity.ts'
import type { HttpTransport } from '../client/transport.ts'
import type { Faults } from '../sync/faults.ts'
import type { Schedule } from '../sync/schedule.ts'
import type { SyncSession } from '../sync/session.ts'
import type { StartTimer } from '../sync/wall-clock-timer.ts'
import {
  type KeystoreSource,
  keystoreFiles,
  readKeystoreFile,
  removeKeystoreFile,
  type StoredKeystore,
} from './keystore-file.ts'
import { createLatestWork } from './latest-work.ts'
import type { OpenKeystoreFile } from './open-keystore-file.ts'
import { provideKeystore } from './provide-keystore.ts'
import { rememberRefusals } from './remember-refusals.ts'

export interface Keystore extends KeystoreSource {
  /** SHA-256 of the PKCS#12 file that the current one was read from. */
  digest(): string | undefined
  /** Applies the reference in a policy, and ends the work on another one; undefined removes the current keystore. Never throws. */
  apply(reference: KeystoreReference | undefined): Promise<void>
  stop(): void
}

export interface KeystoreOptions {
  readonly runtime: string
  readonly dsUrl: string
  readonly transport: HttpTransport
  readonly send: SyncSession['send']
  readonly decrypt: Identity['decrypt']
  readonly openFile: OpenKeystoreFile
  readonly faults: Pick<Faults, 'set' | 'clear'>
  /** When a fetch that failed is tried again. */
  readonly schedule: Pick<Schedule, 'afterSuccess' | 'afterFailure'>
  readonly startTimer: StartTimer
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** Faults that are reported: the keystore cannot be used, or it cannot be fetched. */
const faultKinds = { refused: 'keystore-refused', missing: 'keystore-missing' } as const

/** Begins with the stored keystore, unless it was altered or has expired. */
export async function openKeystore(options: KeystoreOptions): Promise<Keystore> {
  const { runtime, faults, schedule, startTimer, clock, log } = options
  const listeners = new Set<() => void>()
  const open = rememberRefusals(options)
  let current = dropExpired(await readStored(options))
  let lastReason: string | undefined
  let cancelRetry = (): void => undefined

  function dropExpired(keystore: StoredKeystore | undefined): StoredKeystore | undefined {
    return keystore && keystore.notAfter > clock() ? keystore : undefined
  }

  function setCurrent(next: StoredKeystore | undefined): void {
    if (current?.cert === next?.cert && current?.key === next?.key) return
    current = next
    for (const listener of listeners) listener()
  }

  async function attempt(
    reference: KeystoreReference | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    cancelRetry()
    if (reference === undefined) {
      if (current) log.info('keystore removed because the service no longer has one')
      succeed(undefined)
      return removeKeystoreFile(runtime)
    }
    setCurrent(dropExpired(current))
    succeed(await provideKeystore(reference, current, { ...options, open }, signal))
  }

  function succeed(next: StoredKeystore | undefined): void {
    lastReason = undefined
    for (const kind of Object.values(faultKinds)) faults.clear(kind)
    schedule.afterSuccess(0)
    setCurrent(next)
  }

  /** A fetch that failed is tried again; a keystore that cannot be used is not, until the service has another one. */
  function fail(error: unknown, reference: KeystoreReference | undefined): void {
    const reason = errorText(error)
    const refused = error instanceof KeystoreRefused
    faults.clear(refused ? faultKinds.missing : faultKinds.refused)
    faults.set(refused ? faultKinds.refused : faultKinds.missing, reason)
    if (reason !== lastReason) log.error('keystore not in force', { reason })
    lastReason = reason
    if (refused) return
    const retryAfterS = error instanceof DsError ? error.retryAfterS : undefined
    cancelRetry = startTimer(schedule.afterFailure(retryAfterS), () => void work.start(reference))
  }

  const work = createLatestWork<KeystoreReference | undefined>((reference, signal) =>
    attempt(reference, signal).catch((error) => {
      if (!signal.aborted) fail(error, reference)
    }),
  )

  return {
    current: () => current,
    digest: () => current?.digest,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    apply: work.start,
    stop() {
      cancelRetry()
      work.abort()
    },
  }
}

/** undefined: there is none, or it was altered; what is damaged is kept beside it. */
async function readStored({
  runtime,
  log,
}: Pick<KeystoreOptions, 'runtime' | 'log'>): Promise<StoredKeystore | undefined> {
  const stored = await readKeystoreFile(runtime)
  if (stored) return stored
  for (const name of Object.values(keystoreFiles)) keepDamagedFile(join(runtime, name), log)
  await removeKeystoreFile(runtime)
  return undefined
}
