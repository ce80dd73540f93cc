/** Asks the distribution service what it has to say about this connector now: never the last reply on disk. */
import { type SyncState, synchronise } from '@cardwire/protocol/connector-sync'
import { checkInstallationKey } from '@cardwire/protocol/refusal'
import { systemStatus } from '@cardwire/protocol/system'
import * as z from 'zod/mini'
import { DsError, readData, toDsError } from '../distribution/client/ds-response.ts'
import { createTransport, type TransportOptions } from '../distribution/client/transport.ts'
import { createStateStore } from '../distribution/sync/persisted-state.ts'
import { synchronizeOnce } from '../distribution/synchronize-once.ts'
import { errorText } from '../system/error-text.ts'
import type { Folders } from '../system/folders.ts'
import { openLog } from '../system/log.ts'
import { tryLockFile } from '../system/single-instance.ts'
import type { CommandContext } from './command-context.ts'
import { ApiUnavailable, callOwnApi, lockFileName } from './own-api.ts'

/**
 * A running connector synchronizes; one that is stopped does it here. undefined: it is stopped, and was never registered.
 * `logName`: the log of the command. `answerMs`: milliseconds for the running connector.
 */
export async function askService(
  machine: CommandContext,
  dsUrl: string,
  logName: string,
  answerMs?: number,
): Promise<SyncState | undefined> {
  const { settings, folders } = machine
  const { runtime } = folders
  const giveUp = performance.now() + maxWaitMs
  let answer = await askRunning(folders, answerMs)
  if (answer.kind === 'final') return toState(dsUrl, answer.state)
  const log = openLog(folders.logs, logName, { level: settings.logLevel, console: false })
  const stored = createStateStore({ runtime, dsUrl, identity: undefined, log })
  if ((await stored.load()) === undefined) return undefined
  for (;;) {
    // A connector that starts meanwhile would write the same files.
    const release = tryLockFile(runtime, lockFileName)
    if (release !== undefined)
      return synchronizeOnce({ dsUrl, settings, folders, log }).finally(release)
    if (performance.now() > giveUp) return toUnanswered(dsUrl, answer.failure)
    await Bun.sleep(retryMs)
    answer = await askRunning(folders, answerMs)
    if (answer.kind === 'final') return toState(dsUrl, answer.state)
  }
}

type RunningAnswer =
  | { readonly kind: 'final'; readonly state: SyncState | ApiUnavailable }
  /** It is not running, or is about to end or to answer. */
  | { readonly kind: 'absent'; readonly failure: ApiUnavailable }

async function askRunning(folders: Folders, answerMs: number | undefined): Promise<RunningAnswer> {
  try {
    return { kind: 'final', state: await callOwnApi(folders, synchronise, answerMs) }
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error
    if (error.isRunning && !error.isCutOff) return { kind: 'final', state: error }
    return { kind: 'absent', failure: error.isRunning ? error : startingFailure }
  }
}

const startingFailure = new ApiUnavailable('The connector is starting', { isRunning: true })

const toState = (dsUrl: string, state: SyncState | ApiUnavailable) =>
  state instanceof ApiUnavailable ? toUnanswered(dsUrl, state) : state

/** How long a connector that starts or ends is waited for, and between two tries, in milliseconds. */
const maxWaitMs = 10_000
const retryMs = 100

const toUnanswered = (service: string, { message, remedy }: ApiUnavailable): SyncState => ({
  service,
  standing: 'waiting',
  reason: `${message}; ${remedy}`,
})

/** What the service says about the installation key of the settings. */
export type KeyState = 'missing' | 'accepted' | 'used-up' | 'refused' | 'unknown'

/** Registers nothing. `unknown`: the service does not say. */
export async function checkOwnInstallationKey(
  dsUrl: string,
  installationKey: string | undefined,
  options: TransportOptions,
): Promise<KeyState> {
  if (installationKey === undefined) return 'missing'
  const { method, path } = checkInstallationKey
  try {
    const response = await createTransport(options)({
      method,
      url: `${dsUrl}${path}`,
      headers: { apikey: installationKey },
    })
    if (response.status !== 200) throw toDsError(response, Date.now)
    return readData(response, KeyCheck).newDevices ? 'accepted' : 'used-up'
  } catch (error) {
    return error instanceof DsError && error.code === 'api-key-refused' ? 'refused' : 'unknown'
  }
}

const KeyCheck = z.object({ newDevices: z.boolean() })

/** Why the service cannot be reached; undefined: it answers. */
export async function findUnreachableReason(
  dsUrl: string,
  options: TransportOptions,
): Promise<string | undefined> {
  const request = { method: 'GET', url: `${dsUrl}${systemStatus.path}` } as const
  return createTransport(options)(request).then(
    ({ status }) => (status === 200 ? undefined : `it responded with status ${status}`),
    errorText,
  )
}
