/** Checks the distribution service, and what it says about this connector. */
import { join } from 'node:path'
import type { SyncState } from '@cardwire/protocol/connector-sync'
import type { Policy } from '../../distribution/client/verify-reply.ts'
import { createStateStore, type LoadedState } from '../../distribution/sync/persisted-state.ts'
import { toPolicyStatus } from '../../distribution/sync/policy-term.ts'
import { type ClockReadings, clockFileName, judgeClock } from '../../system/clock-watch.ts'
import {
  askService,
  checkOwnInstallationKey,
  findUnreachableReason,
  type KeyState,
} from '../ask-service.ts'
import type { CommandContext } from '../command-context.ts'
import { toPolicyFinding } from '../policy-report.ts'
import { checkTimeoutMs, type Finding, openDoctorLog } from './finding.ts'
import { toRefusalFinding, toUnregisteredFindings } from './service-refusal.ts'

export async function checkDistribution(machine: CommandContext): Promise<readonly Finding[]> {
  const { settings, folders } = machine
  const { dsUrl, caFile, installationKey } = settings
  if (dsUrl === undefined) {
    const what = 'no distribution service is set, so the allowlist comes from the settings'
    return [{ level: 'good', code: 'service-none', what }]
  }
  const deadlines = { connectMs: checkTimeoutMs, overallMs: checkTimeoutMs }
  const unreachableReason = await findUnreachableReason(dsUrl, { caFile, deadlines })
  const isReachable = unreachableReason === undefined
  const answer = isReachable ? await askService(machine, dsUrl, 'doctor', askMs) : undefined
  const key = isReachable
    ? await checkOwnInstallationKey(dsUrl, installationKey, { caFile, deadlines })
    : 'unknown'
  // After the question: the answer may have changed it.
  const log = openDoctorLog(machine)
  const { runtime } = folders
  const stored = await createStateStore({ runtime, dsUrl, identity: undefined, log }).load()
  const clock = judgeClock(join(runtime, clockFileName), Date.now())
  const findings = toServiceFindings(dsUrl, { unreachableReason, answer, key }, stored, clock)
  return settings.offersUpdates ? findings : [...findings, mutedFinding]
}

const mutedFinding: Finding = {
  level: 'good',
  code: 'updates-not-offered',
  what: 'windows do not offer updates because CARDWIRE_UPDATE is off',
}

/** Milliseconds for the running connector to synchronize. */
const askMs = 10_000

/** What the service said when it was asked. */
interface ServiceReply {
  /** undefined: it answered. */
  readonly unreachableReason?: string | undefined
  /** Absent when it was not asked about this connector. */
  readonly answer?: Pick<SyncState, 'standing' | 'code' | 'reason' | 'device'> | undefined
  readonly key?: KeyState
}

/** `storedState`: undefined where this connector is not registered. */
export function toServiceFindings(
  dsUrl: string,
  { unreachableReason, answer, key = 'unknown' }: ServiceReply,
  storedState: LoadedState | undefined,
  clock: ClockReadings = { now: Date.now(), trustedAt: Date.now() },
): readonly Finding[] {
  const reachability: Finding =
    unreachableReason === undefined
      ? {
          level: 'good',
          code: 'service-good',
          what: `the distribution service ${dsUrl} is responding`,
        }
      : {
          level: 'bad',
          code: 'service-unreachable',
          what: `the distribution service ${dsUrl} is not responding: ${unreachableReason}`,
          remedy: 'check the network, CARDWIRE_DS_URL and CARDWIRE_CA_FILE',
        }
  if (storedState === undefined) return [reachability, ...toUnregisteredFindings(answer, key)]
  const { policy, term } = storedState
  const { device, lastGood, offsetMs } = storedState.state
  const refusal = answer && toRefusalFinding(answer)
  const termFinding = term && toPolicyFinding(toPolicyStatus(term, clock, offsetMs))
  return [
    reachability,
    { level: 'good', code: 'registered', what: `this connector is registered as ${device}` },
    ...(refusal ? [refusal] : []),
    lastGood === undefined
      ? {
          level: 'note',
          code: 'never-synchronized',
          what: 'it has never synced',
          remedy: 'to see why, run: cardwire sync',
        }
      : {
          level: 'good',
          code: 'synchronized',
          what: `it last synced at ${new Date(lastGood).toISOString()}`,
        },
    ...(termFinding ? [termFinding] : []),
    ...(policy ? toVerdictFindings(policy) : []),
  ]
}

function toVerdictFindings({ verdict: { action, version, offer } }: Policy): readonly Finding[] {
  if (action === 'none') return []
  const remedy = offer
    ? `install version ${offer.version}: ${offer.url}`
    : 'ask the administrator for a different version'
  return action === 'recommend'
    ? [
        {
          level: 'note',
          code: 'version-recommended',
          what: `the service recommends a different version than ${version}`,
          remedy,
        },
      ]
    : [
        {
          level: 'bad',
          code: 'version-forbidden',
          what: `version ${version} is no longer allowed`,
          remedy,
        },
      ]
}
