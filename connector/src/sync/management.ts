/** Who decides what this connector does: its settings alone, or the distribution service that they name. */
import { serviceAudience, uploadLogs } from '@cardwire/client/protocol'
import type { Distribution, Person } from '../api/services.ts'
import { settingsAuthority, type TokenAuthority } from '../api/tokens.ts'
import type { Dialog } from '../desktop/desktop.ts'
import { removeKept } from '../keystore/kept.ts'
import { type Keystore, openKeystore } from '../keystore/keystore.ts'
import { systemClock } from '../readers/clock.ts'
import type { Settings } from '../settings.ts'
import type { Folders } from '../system/folders.ts'
import type { Log } from '../system/log.ts'
import { version } from '../version.ts'
import { createAllowlist } from './allowlist.ts'
import { type Outgoing, openExchange } from './exchange.ts'
import { openFaults } from './faults.ts'
import { openIdentity } from './identity.ts'
import { sleepProof } from './later.ts'
import { openLink } from './link.ts'
import { collectLogs } from './logs.ts'
import { followOrders } from './orders.ts'
import { createSchedule } from './schedule.ts'
import { selfOf } from './self.ts'
import { openService } from './service.ts'
import { stateOf } from './show.ts'
import { openServiceState } from './state.ts'
import { createSynchroniser } from './synchroniser.ts'
import { tokenKeys } from './token-keys.ts'

export interface Management {
  /** The origins whose pages may ask. */
  allowlist(): readonly string[]
  onAllowlist(listener: () => void): () => void
  readonly authority: TokenAuthority
  /** undefined: there is none. */
  readonly distribution: Distribution | undefined
  /** The certificates of the service; undefined: there is no service. */
  readonly keystore: Keystore | undefined
  /** Waits for a keystore to begin with, where nothing else can be served. */
  obtainKeystore(): Promise<void>
  /** Follows what the service said last, and synchronises from now on. */
  begin(): void
  stop(): void
}

export interface Place {
  readonly settings: Settings
  readonly folders: Pick<Folders, 'runtime' | 'logs'>
  readonly log: Log
  readonly person: Person
  readonly dialog: Dialog
  /** What the program was installed in. */
  readonly installation: string
  readonly counters: Pick<Outgoing, 'batches' | 'acknowledge'>
  /** Ends the process. */
  readonly end: (status: number) => void
}

/** Throws when the identity key can be neither read nor made. */
export async function openManagement(place: Place): Promise<Management> {
  const { settings } = place
  if (settings.dsUrl !== undefined) return managed(settings.dsUrl, place)
  // Of a service that was there before.
  await removeKept(place.folders.runtime)
  const { entries, onChange } = createAllowlist(settings.cors, () => undefined)
  return {
    allowlist: entries,
    onAllowlist: onChange,
    authority: settingsAuthority(settings),
    distribution: undefined,
    keystore: undefined,
    obtainKeystore: async () => undefined,
    begin: () => undefined,
    stop: () => undefined,
  }
}

async function managed(dsUrl: string, place: Place): Promise<Management> {
  const { settings, folders, log, person, dialog, installation, end } = place
  const clock = Date.now
  const faults = openFaults(clock)
  const identity = await openIdentity(folders.runtime)
  const link = openLink({ caFile: settings.caFile })
  const service = openService({ dsUrl, identity, link, clock })
  const exchange = await openExchange({
    ...{ dsUrl, service, clock, log, identity: identity.thumbprint },
    state: openServiceState({
      ...{ runtime: folders.runtime, dsUrl, identity: identity.thumbprint, log },
    }),
    self: selfOf(person),
    installationKey: settings.installationKey,
    fingerprints: settings.dsFingerprints,
    outgoing: { ...place.counters, keystore: () => keystore.digest(), faults: faults.list },
  })
  const { policy } = exchange
  const later = sleepProof(systemClock, clock)
  const keystore: Keystore = await openKeystore({
    ...{ runtime: folders.runtime, link, ask: exchange.ask, decrypt: identity.decrypt },
    ...{ schedule: createSchedule(Math.random), later, faults, clock, log },
  })
  const applyKeystore = () => keystore.apply(policy()?.keystore)
  const allowlist = createAllowlist(settings.cors, policy)
  const synchroniser = createSynchroniser({
    ...{ exchange, clock, log, faults },
    ...{ schedule: createSchedule(Math.random), later },
  })
  synchroniser.onGood(allowlist.refresh)
  synchroniser.onGood(() => void applyKeystore())
  const stateNow = () => stateOf(dsUrl, exchange, synchroniser, allowlist.entries())
  return {
    allowlist: allowlist.entries,
    onAllowlist: allowlist.onChange,
    authority:
      settings.jwks === undefined
        ? {
            key: tokenKeys({ dsUrl, link, policy, clock }),
            // How the service spells itself is known once it has answered.
            issuers: () => [serviceAudience(dsUrl), exchange.kept()?.audience ?? dsUrl],
            offsetMs: service.offsetMs,
          }
        : settingsAuthority(settings),
    distribution: {
      url: dsUrl,
      registered: () => exchange.kept() !== undefined,
      now: async () => {
        await synchroniser.now()
        return stateNow()
      },
      soon: synchroniser.soon,
      pushLogs: inTurn(async () => {
        const bytes = await collectLogs(folders.logs)
        const body = { type: 'application/gzip', bytes }
        await exchange.ask({ method: 'POST', path: uploadLogs.path, body })
        log.info('logs left with the service', { bytes: bytes.length })
      }),
    },
    keystore,
    async obtainKeystore() {
      if (policy()) await applyKeystore()
      if (keystore.served()) return
      await synchroniser.now()
      await applyKeystore()
    },
    begin() {
      if (policy()) void applyKeystore()
      followOrders({
        ...{ version, folder: installation, policy, synchroniser, dialog, faults, log, end },
      })
      synchroniser.begin()
    },
    stop() {
      keystore.stop()
      synchroniser.stop()
    },
  }
}

/** Whoever asks while it is being done waits for the same. */
function inTurn(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= act().finally(() => {
      running = undefined
    })
    return running
  }
}
