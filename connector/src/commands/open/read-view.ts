/** Reads what the local page shows, each part where it lies: the connector may run or not. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { getSyncState, type SyncState } from '@cardwire/protocol/connector-sync'
import type { ConsentView, UpdateView, View } from '../../../page/view.ts'
import { serviceFileName } from '../../distribution/sync/persisted-state.ts'
import { stateFileName } from '../../system/state/database.ts'
import { version } from '../../version.ts'
import type { CommandContext } from '../command-context.ts'
import { readLiveConsents } from '../consents.ts'
import { readManagedFolders } from '../managed-folders.ts'
import { callOwnApi, isLocked } from '../own-api.ts'
import { readPersistedState } from '../sync.ts'
import type { PageContext } from './page-context.ts'

/** How long the connector may take to answer, in milliseconds. */
const answerMs = 2000

/** Everything but the readers. */
export type SlowView = Omit<View, 'cardService' | 'readers'>

export interface SlowViewOptions {
  /** Whether this command is starting the connector. */
  readonly isStarting: boolean
  /** Calls back with why a part cannot be read: the others are shown. */
  readonly reportFailure: (error: unknown) => void
}

export async function readSlowView(
  { machine, fields }: Pick<PageContext, 'machine' | 'fields'>,
  { isStarting, reportFailure }: SlowViewOptions,
): Promise<SlowView> {
  const { connector, sync } = await readConnector(machine, { isStarting, reportFailure })
  return {
    version,
    connector,
    ...(await tryReadConsents(machine, reportFailure)),
    service: {
      ...fields,
      ...(sync.device !== undefined && { device: sync.device }),
      ...(sync.lastGood !== undefined && { lastGood: Date.parse(sync.lastGood) }),
    },
    update: toUpdateView(sync, machine.settings.offersUpdates),
  }
}

async function readConnector(
  machine: CommandContext,
  { isStarting, reportFailure }: SlowViewOptions,
): Promise<{ readonly connector: View['connector']; readonly sync: SyncState }> {
  const { settings, folders } = machine
  const isRunning = mayRun(folders.runtime, reportFailure)
  const answer = isRunning
    ? await callOwnApi(folders, getSyncState, answerMs).catch(() => undefined)
    : undefined
  if (answer) return { connector: 'running', sync: answer }
  const sync =
    settings.dsUrl === undefined
      ? ({ standing: 'unmanaged' } as const)
      : await readPersistedState(machine, settings.dsUrl)
  if (isStarting) return { connector: 'starting', sync }
  return { connector: isRunning ? 'unresponsive' : 'stopped', sync }
}

function mayRun(runtime: string, reportFailure: SlowViewOptions['reportFailure']): boolean {
  try {
    return isLocked(runtime)
  } catch (error) {
    reportFailure(error)
    return true
  }
}

const states = {
  none: 'current',
  recommend: 'recommended',
  require: 'required',
  stop: 'forbidden',
} as const

/** A verdict counts for its version alone. */
export function toUpdateView(
  { service, verdict }: SyncState,
  offersUpdates: boolean,
  own = version,
): UpdateView {
  if (service === undefined) return { state: 'unmanaged' }
  if (verdict?.version !== own) return { state: 'unknown' }
  const { action, offer } = verdict
  const state = states[action]
  if (state === 'current') return { state }
  if (!offersUpdates) return { state, isMuted: true }
  if (offer === undefined) return { state }
  return { state, offer: { version: offer.version, url: offer.url } }
}

async function tryReadConsents(
  machine: CommandContext,
  reportFailure: SlowViewOptions['reportFailure'],
): Promise<Pick<View, 'consents'>> {
  try {
    return { consents: await readConsents(machine, reportFailure) }
  } catch (error) {
    reportFailure(error)
    return {}
  }
}

/** Two changes may have one time. What is written as a whole is another file each time. */
function createStamp(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? [stats.mtimeMs, stats.size, stats.ino].join() : ''
}

let lastRead: { readonly stamp: string; readonly consents: readonly ConsentView[] } | undefined

/** Read again only when a file has changed: each opening of the database checks it as a whole. */
async function readConsents(
  machine: CommandContext,
  reportFailure: SlowViewOptions['reportFailure'],
): Promise<readonly ConsentView[]> {
  const { runtime } = machine.folders
  const path = join(runtime, stateFileName)
  const administrators = [join(runtime, serviceFileName), machine.settings.cards ?? '']
  const stamp = [path, `${path}-wal`, ...administrators].map(createStamp).join(' ')
  if (lastRead?.stamp !== stamp) {
    let isWhole = true
    const managed = await readManagedFolders(machine).catch((error: unknown) => {
      reportFailure(error)
      isWhole = false
      return []
    })
    const consents = readLiveConsents(machine).map(
      ({ origin, issuedAt, expiresAt, usedAt, identity, folders }) => ({
        ...{ origin, issuedAt, expiresAt, usedAt },
        identity,
        folders: folders.map(({ path }) => path),
        managedFolders: managed.filter((one) => one.origin === origin).map(({ path }) => path),
      }),
    )
    // What could not be read may be readable the next time, without a change of a file.
    lastRead = { stamp: isWhole ? stamp : '', consents }
  }
  return lastRead.consents.filter(({ expiresAt }) => Date.now() < expiresAt)
}
