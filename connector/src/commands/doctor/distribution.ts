/** Checks the distribution service and the last synchronization. */
import { join } from 'node:path'
import { systemStatus } from '@cardwire/client/protocol'
import { createTransport } from '../../distribution/client/transport.ts'
import type { Policy } from '../../distribution/client/verify-reply.ts'
import { createStateStore, type LoadedState } from '../../distribution/sync/persisted-state.ts'
import { toPolicyStatus } from '../../distribution/sync/policy-term.ts'
import { type ClockReadings, clockFileName, judgeClock } from '../../system/clock-watch.ts'
import { errorText } from '../../system/error-text.ts'
import type { CommandContext } from '../command-context.ts'
import { toPolicyFinding } from '../policy-report.ts'
import { checkTimeoutMs, type Finding, openDoctorLog } from './finding.ts'

export async function checkDistribution(machine: CommandContext): Promise<readonly Finding[]> {
  const { settings, folders } = machine
  const { dsUrl, caFile } = settings
  if (dsUrl === undefined) {
    const what = 'no distribution service is set; the allowlist is the one of the settings'
    return [{ level: 'good', what }]
  }
  const deadlines = { connectMs: checkTimeoutMs, overallMs: checkTimeoutMs }
  const unreachableReason = await createTransport({ caFile, deadlines })({
    method: 'GET',
    url: `${dsUrl}${systemStatus.path}`,
  }).then(
    ({ status }) => (status === 200 ? undefined : `it answers with status ${status}`),
    errorText,
  )
  const { runtime } = folders
  const state = createStateStore({
    runtime,
    dsUrl,
    identity: undefined,
    log: openDoctorLog(machine),
  })
  const clock = judgeClock(join(runtime, clockFileName), Date.now())
  return toServiceFindings(dsUrl, unreachableReason, await state.load(), clock)
}

/** `unreachableReason`: undefined when the service answered. */
export function toServiceFindings(
  dsUrl: string,
  unreachableReason: string | undefined,
  storedState: LoadedState | undefined,
  clock: ClockReadings = { now: Date.now(), trustedAt: Date.now() },
): readonly Finding[] {
  const reachability: Finding =
    unreachableReason === undefined
      ? { level: 'good', what: `the distribution service ${dsUrl} answers` }
      : {
          level: 'bad',
          what: `the distribution service ${dsUrl} does not answer: ${unreachableReason}`,
          remedy: 'check the network, CARDWIRE_DS_URL and CARDWIRE_CA_FILE',
        }
  if (storedState === undefined) {
    const remedy =
      'set CARDWIRE_INSTALLATION_KEY to the key of this version, then start it: cardwire run'
    return [
      reachability,
      { level: 'bad', what: 'this connector is not registered with it', remedy },
    ]
  }
  const { policy, term } = storedState
  const { device, lastGood, offsetMs } = storedState.state
  const termFinding = term && toPolicyFinding(toPolicyStatus(term, clock, offsetMs))
  return [
    reachability,
    { level: 'good', what: `this connector is registered as ${device}` },
    lastGood === undefined
      ? { level: 'note', what: 'it has never synchronized', remedy: 'cardwire sync says why' }
      : { level: 'good', what: `it synchronized last at ${new Date(lastGood).toISOString()}` },
    ...(termFinding ? [termFinding] : []),
    ...(policy ? toVerdictFindings(policy) : []),
  ]
}

function toVerdictFindings({ verdict: { action, version, offer } }: Policy): readonly Finding[] {
  if (action === 'none') return []
  const remedy = offer
    ? `install version ${offer.version}: ${offer.url}`
    : 'ask the administrator for another version'
  return action === 'recommend'
    ? [{ level: 'note', what: `another version is recommended over ${version}`, remedy }]
    : [{ level: 'bad', what: `version ${version} may not be used any more`, remedy }]
}
