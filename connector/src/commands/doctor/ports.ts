/** Checks the ports of the API of this user and of the registry. */
import { getConnectorVersion } from '@cardwire/client/protocol/connector-system'
import { describeRangeHolder } from '../../api/port-range.ts'
import { openRegistryAccess } from '../../api/registry-connection/open-registry-connection.ts'
import type { ProbeResult } from '../../api/registry-connection/registry-client.ts'
import type { Explanation } from '../../registry/port-conflict.ts'
import type { Settings } from '../../settings.ts'
import { findFreePort } from '../../system/free-port.ts'
import { createRunner } from '../../system/run-command.ts'
import { agentUnit, isAgentMasked } from '../agent-unit.ts'
import type { CommandContext } from '../command-context.ts'
import { ApiUnavailable, callOwnApi, readOwnApiPort } from '../own-api.ts'
import { checkTimeoutMs, type Finding } from './finding.ts'

export async function checkPorts({
  settings,
  folders,
}: CommandContext): Promise<readonly Finding[]> {
  const { client, isService, explain } = openRegistryAccess(settings, folders)
  const sight = await client.probe()
  const isFree = sight.kind === 'absent' && !isService()
  const explained = sight.kind === 'known' || isFree ? undefined : await explain(sight.kind)
  const registry = toRegistryFinding(sight, settings.registryPort, explained)
  const api = await checkApi({ settings, folders })
  // The registry of a connector whose certificates were uninstalled shows the same one.
  const isSame = sight.kind === 'foreign' && api.isUninstalled
  return isSame ? [api.finding] : [api.finding, registry]
}

async function checkApi({
  settings: { apiPorts },
  folders,
}: Pick<CommandContext, 'settings' | 'folders'>): Promise<{
  readonly finding: Finding
  readonly isUninstalled: boolean
}> {
  try {
    await callOwnApi(folders, getConnectorVersion, checkTimeoutMs)
    const finding = toApiFinding(apiPorts, { port: await readOwnApiPort(folders) })
    return { finding, isUninstalled: false }
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error
    const { message: silence, isRunning, isUninstalled } = error
    const free = await findFreePort(apiPorts)
    const holder = free === undefined ? await describeRangeHolder(apiPorts.first) : undefined
    const isMasked = !isRunning && (await isAgentMasked(createRunner()))
    const finding = toApiFinding(apiPorts, { silence, isRunning, isMasked, free, holder })
    return { finding, isUninstalled }
  }
}

/** The port of the API of this user, or why it was not reached; then `free`: the first port that it could use. */
export function toApiFinding(
  { first, last }: Settings['apiPorts'],
  sight:
    | { readonly port: number }
    | {
        readonly silence: string
        readonly isRunning: boolean
        /** Whether somebody wants that nothing starts it. */
        readonly isMasked?: boolean
        readonly free: number | undefined
        /** Who has the first port of the range, when none is free. */
        readonly holder?: string | undefined
      },
): Finding {
  if ('port' in sight)
    return { level: 'good', code: 'api-good', what: `the API answers on port ${sight.port}` }
  const { silence, isRunning, isMasked, free, holder } = sight
  if (isRunning) {
    const remedy = 'end the process "cardwire run" and start it again'
    return { level: 'bad', code: 'api-silent', what: `the API does not answer: ${silence}`, remedy }
  }
  if (isMasked) {
    const what = `the connector is not running and cannot be started, because ${agentUnit} is masked`
    const remedy = `unmask it: systemctl --user unmask ${agentUnit}, or for every user: systemctl --global unmask ${agentUnit}`
    return { level: 'bad', code: 'not-running-masked', what, remedy }
  }
  if (free === undefined) {
    const remedy =
      'start it on any free port (cardwire run), or set another range in CARDWIRE_API_PORTS'
    const whose = holder === undefined ? '' : ` (${first}: ${holder})`
    return {
      level: 'note',
      code: 'not-running-no-port',
      what: `the connector is not running, and no port from ${first} to ${last} is free${whose}`,
      remedy,
    }
  }
  const remedy = 'start it: cardwire run'
  return {
    level: 'note',
    code: 'not-running',
    what: `the connector is not running; port ${free} is free`,
    remedy,
  }
}

/** `explained`: what is wrong and what to do; undefined when nothing is. */
export function toRegistryFinding(
  sight: ProbeResult,
  port: number,
  explained: Explanation | undefined,
): Finding {
  if (explained) {
    const { what, todo: remedy } = explained
    return { level: 'bad', code: registryCodes[sight.kind], what, remedy }
  }
  if (sight.kind !== 'known') {
    return {
      level: 'good',
      code: 'registry-port-free',
      what: `port ${port} is free for the registry`,
    }
  }
  const owner = sight.scope === 'service' ? 'the service of this computer' : 'this user’s own'
  return {
    level: 'good',
    code: 'registry-good',
    what: `the registry answers on port ${port} (${owner})`,
  }
}

/** What is at the port of the registry when something is wrong there. */
const registryCodes = {
  known: 'registry-good',
  absent: 'registry-down',
  foreign: 'registry-foreign',
  'other-program': 'registry-port-taken',
} as const
