/** The doctor on the distribution service, and what it has said. */
import { systemStatus } from '@cardwire/client/protocol'
import { openLink } from '../../sync/link.ts'
import { openServiceState, type Policy, type Remembered } from '../../sync/state.ts'
import type { Machine } from '../machine.ts'
import { type Finding, logOf, patienceMs } from './finding.ts'

export async function distribution(machine: Machine): Promise<readonly Finding[]> {
  const { settings, folders } = machine
  const { dsUrl, caFile } = settings
  if (dsUrl === undefined) {
    const what = 'no distribution service is set; the allowlist is the one of the settings'
    return [{ level: 'good', what }]
  }
  const deadlines = { connectMs: patienceMs, overallMs: patienceMs }
  const answers = await openLink({ caFile, deadlines })({
    method: 'GET',
    url: `${dsUrl}${systemStatus.path}`,
  }).then(
    ({ status }) => (status === 200 ? undefined : `it answers with status ${status}`),
    (error) => (error instanceof Error ? error.message : String(error)),
  )
  const { runtime } = folders
  const state = openServiceState({ runtime, dsUrl, identity: undefined, log: logOf(machine) })
  return serviceFindings(dsUrl, answers, await state.read())
}

/** `answers`: undefined when it does, else why not. */
export function serviceFindings(
  dsUrl: string,
  answers: string | undefined,
  remembered: Remembered | undefined,
): readonly Finding[] {
  const reached: Finding =
    answers === undefined
      ? { level: 'good', what: `the distribution service ${dsUrl} answers` }
      : {
          level: 'bad',
          what: `the distribution service ${dsUrl} does not: ${answers}`,
          todo: 'check the network, CARDWIRE_DS_URL and CARDWIRE_CA_FILE',
        }
  if (remembered === undefined) {
    const todo =
      'set CARDWIRE_INSTALLATION_KEY to the key of this version, then start it: cardwire run'
    return [reached, { level: 'bad', what: 'this connector is not registered with it', todo }]
  }
  const { device, lastGood } = remembered.kept
  return [
    reached,
    { level: 'good', what: `this connector is registered as ${device}` },
    lastGood === undefined
      ? { level: 'note', what: 'it has never synchronised', todo: 'cardwire sync says why' }
      : { level: 'good', what: `it synchronised last at ${new Date(lastGood).toISOString()}` },
    ...(remembered.policy ? verdictFinding(remembered.policy) : []),
  ]
}

function verdictFinding({ verdict: { action, version, offer } }: Policy): readonly Finding[] {
  if (action === 'none') return []
  const todo = offer
    ? `install version ${offer.version}: ${offer.url}`
    : 'ask the administrator for another version'
  return action === 'recommend'
    ? [{ level: 'note', what: `another version is recommended over ${version}`, todo }]
    : [{ level: 'bad', what: `version ${version} may not be used any more`, todo }]
}
