/** The connector's code as the simulation uses it: the one file that imports it. */
import type { Database } from 'bun:sqlite'
import { type CounterEntry, serviceAudience } from '@cardwire/protocol'
import { type Counters, openCounters } from '../../connector/src/api/counters/counters.ts'
import { createTokenVerifier } from '../../connector/src/api/token-verifier.ts'
import { createDsClient } from '../../connector/src/distribution/client/ds-client.ts'
import { openIdentity } from '../../connector/src/distribution/client/identity.ts'
import type { HttpTransport } from '../../connector/src/distribution/client/transport.ts'
import type { Policy } from '../../connector/src/distribution/client/verify-reply.ts'
import { createAllowlist } from '../../connector/src/distribution/policy/allowlist.ts'
import { enforcePolicy } from '../../connector/src/distribution/policy/enforce.ts'
import { createFaults } from '../../connector/src/distribution/sync/faults.ts'
import {
  createStateStore,
  type PersistedState,
} from '../../connector/src/distribution/sync/persisted-state.ts'
import { createSchedule } from '../../connector/src/distribution/sync/schedule.ts'
import { openSyncSession } from '../../connector/src/distribution/sync/session.ts'
import type { SyncStatus } from '../../connector/src/distribution/sync/sync-status.ts'
import { createSynchronizer } from '../../connector/src/distribution/sync/synchronizer.ts'
import { createTokenKeyResolver } from '../../connector/src/distribution/sync/token-keys.ts'
import { createWallClockTimer } from '../../connector/src/distribution/sync/wall-clock-timer.ts'
import type { Clock } from '../../connector/src/system/clock.ts'
import type { Log } from '../../connector/src/system/log.ts'
import type { PrivateFiles } from '../../connector/src/system/private-files.ts'
import type { SeededRandom } from '../bed/random.ts'

export { Unreachable } from '../../connector/src/distribution/client/connection-options.ts'
export type {
  HttpRequest,
  HttpResponse,
  HttpTransport,
} from '../../connector/src/distribution/client/transport.ts'
export type { Policy } from '../../connector/src/distribution/client/verify-reply.ts'
export type { PersistedState } from '../../connector/src/distribution/sync/persisted-state.ts'
export { type Log as ConnectorLog, openLog } from '../../connector/src/system/log.ts'
export type { PrivateFiles } from '../../connector/src/system/private-files.ts'
export { openStateDatabase } from '../../connector/src/system/state/database.ts'
export { migrations as stateMigrations } from '../../connector/src/system/state/migrations.ts'

export interface ConnectorOptions {
  readonly dsUrl: string
  readonly version: string
  readonly hostname: string
  readonly installationKey: string
  readonly fingerprints: readonly string[]
  readonly transport: HttpTransport
  /** Milliseconds since 1970, by the clock of the machine. */
  readonly clock: () => number
  readonly timers: Clock
  /** Of the same timers, for what looks at the clock and does nothing else. */
  readonly planAfter: Clock['after']
  readonly random: SeededRandom
  readonly files: PrivateFiles
  readonly generateKey: () => Promise<string>
  /** The state database of the user. */
  readonly database: Database
  readonly log: Log
  /** Ends the process. */
  readonly end: (status: number) => void
  /** Has `forget` forget these uses, which the service has. */
  readonly acknowledging: (entries: readonly CounterEntry[], forget: () => void) => void
}

/** A process of the connector, as far as it deals with its service. */
export interface Connector {
  readonly counters: Counters
  policy(): Policy | undefined
  state(): PersistedState | undefined
  status(): SyncStatus
  /** Synchronises now, because a page asks for it. */
  requestSync(): void
  /** Throws when the token is not one that pages may come with. */
  verifyToken(token: string): Promise<void>
  stop(): void
}

/** As `cardwire run` puts it together. */
export async function startConnector(options: ConnectorOptions): Promise<Connector> {
  const { dsUrl, version, transport, clock, timers, random, files, log, end } = options
  const runtime = '/runtime'
  const faults = createFaults(clock)
  const { generateKey } = options
  const identity = await openIdentity(runtime, log, { files, generateKey, random: random.bytes })
  const dsClient = createDsClient({ dsUrl, identity, transport, clock })
  const counters = openCounters(options.database, () => clock() + dsClient.clockOffsetMs())
  const sent = new Map<string, readonly CounterEntry[]>()
  const session = await openSyncSession({
    dsUrl,
    identity: identity.thumbprint,
    dsClient,
    stateStore: createStateStore({ runtime, dsUrl, identity: identity.thumbprint, log, files }),
    deviceInfo: { version, platform: 'UNIX', device: { hostname: options.hostname }, user: {} },
    installationKey: options.installationKey,
    fingerprints: options.fingerprints,
    report: {
      keystore: () => undefined,
      faults: faults.list,
      batches() {
        const batches = counters.batches()
        for (const { id, entries } of batches) sent.set(id, entries)
        return batches
      },
      acknowledge(ids) {
        const entries = ids.flatMap((id) => sent.get(id) ?? [])
        options.acknowledging(entries, () => counters.acknowledge(ids))
      },
    },
    clock,
    log,
  })
  const { policy, state } = session
  // Of its callbacks those behind a wait look at the clocks, and the one without a wait acts.
  const wallClock: Clock = {
    now: timers.now,
    after: (ms, act) => (ms > 0 ? options.planAfter(ms, act) : timers.after(ms, act)),
  }
  const startTimer = createWallClockTimer(wallClock, clock)
  const allowlist = createAllowlist([], policy)
  const schedule = createSchedule(random.next)
  const synchronizer = createSynchronizer({ session, schedule, clock, startTimer, faults, log })
  synchronizer.onSuccess(allowlist.refresh)
  const tokens = createTokenVerifier(
    true,
    {
      getKey: createTokenKeyResolver({
        ...{ policy, synchronize: synchronizer.synchronizeUnlessPaused, clock, timers },
      }),
      issuers: () => [serviceAudience(dsUrl), state()?.audience ?? dsUrl],
      clockOffsetMs: dsClient.clockOffsetMs,
    },
    clock,
  )
  enforcePolicy({
    ...{ version, folder: '/installation', policy, synchronizer, faults, log, end, timers },
    offersUpdates: true,
    language: '',
    dialog: { show: async () => 'closed' },
  })
  synchronizer.start()
  return {
    ...{ counters, policy, state, status: synchronizer.status, stop: synchronizer.stop },
    requestSync: synchronizer.requestSync,
    async verifyToken(token) {
      await tokens.verify(token)
    },
  }
}
