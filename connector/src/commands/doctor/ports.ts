/** Checks the ports of the API of this user and of the registry. */
import { getConnectorVersion } from '@cardwire/protocol/connector-system'
import { openRegistryAccess } from '../../api/registry-connection/open-registry-connection.ts'
import type { ProbeResult } from '../../api/registry-connection/registry-client.ts'
import type { Explanation } from '../../registry/port-conflict.ts'
import type { Settings } from '../../settings.ts'
import { findFreePort } from '../../system/free-port.ts'
import { describePortHolder } from '../../system/port-holder.ts'
import { createRunner } from '../../system/run-command.ts'
import { agentUnit, isAgentMasked } from '../agent-unit.ts'
import type { CommandContext } from '../command-context.ts'
import { ApiUnavailable, answersOn, callOwnApi, readOwnApiPort } from '../own-api.ts'
import { checkTimeoutMs, type Finding } from './finding.ts'
import { explainAddresses } from './port-addresses.ts'

export async function checkPorts({
  settings,
  folders,
}: CommandContext): Promise<readonly Finding[]> {
  const { client, isService, explain } = openRegistryAccess(settings, folders)
  const port = settings.registryPort
  const sight = await client.probe()

  async function checkRegistry(): Promise<Finding> {
    if (sight.kind === 'known') {
      const answersOnSix = async () => (await client.probe('::1')).kind === 'known'
      const explained = await explainAddresses(port, answersOnSix)
      return toRegistryFinding(explained ? { kind: 'other-program' } : sight, port, explained)
    }
    if (sight.kind !== 'absent' || isService()) {
      return toRegistryFinding(sight, port, await explain(sight.kind))
    }
    // Another program may have only the port of ::1.
    const isFree = (await findFreePort({ first: port, last: port })) !== undefined
    const kind = isFree ? 'absent' : 'other-program'
    return toRegistryFinding({ kind }, port, isFree ? undefined : await explain(kind))
  }
  const registry = await checkRegistry()
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
    const port = await readOwnApiPort(folders)
    const explained = await explainAddresses(port, () => answersOn(folders, '::1'))
    const finding = toApiFinding(apiPorts, { port, explained })
    return { finding, isUninstalled: false }
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error
    const { message: silence, isRunning, isUninstalled } = error
    const free = await findFreePort(apiPorts)
    const holder = free === undefined ? await describePortHolder(apiPorts.first) : undefined
    const isMasked = !isRunning && (await isAgentMasked(createRunner()))
    const finding = toApiFinding(apiPorts, { silence, isRunning, isMasked, free, holder })
    return { finding, isUninstalled }
  }
}

/** The port of the API of this user, or why it was not reached; then `free`: the first port that it could use. */
export function toApiFinding(
  { first, last }: Settings['apiPorts'],
  sight:
    | { readonly port: number; readonly explained?: Explanation | undefined }
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
  if ('port' in sight) {
    const { port, explained } = sight
    if (!explained)
      return { level: 'good', code: 'api-good', what: `the API is responding on port ${port}` }
    return { level: 'bad', code: 'api-silent', what: explained.what, remedy: explained.todo }
  }
  const { silence, isRunning, isMasked, free, holder } = sight
  if (isRunning) {
    const remedy = 'end the process "cardwire run" and start it again'
    return {
      level: 'bad',
      code: 'api-silent',
      what: `the API is not responding: ${silence}`,
      remedy,
    }
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
  const owner = sight.scope === 'service' ? 'the service of this computer' : 'started by this user'
  return {
    level: 'good',
    code: 'registry-good',
    what: `the registry is responding on port ${port} (${owner})`,
  }
}

/** What is at the port of the registry when something is wrong there. */
const registryCodes = {
  known: 'registry-good',
  absent: 'registry-down',
  foreign: 'registry-foreign',
  'other-program': 'registry-port-taken',
} as const
