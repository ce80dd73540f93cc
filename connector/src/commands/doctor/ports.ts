/** The doctor on the two who listen: the API of this user, and the registry. */
import { getConnectorVersion } from '@cardwire/client/protocol'
import { knownRegistry } from '../../agent/open-link.ts'
import type { Sight } from '../../agent/pinned.ts'
import type { Explanation } from '../../registry/port.ts'
import type { Settings } from '../../settings.ts'
import { firstFree } from '../../system/free-port.ts'
import type { Machine } from '../machine.ts'
import { ApiSilent, askOwnApi, ownApiPort } from '../own-api.ts'
import { type Finding, patienceMs } from './finding.ts'

export async function ports({ settings, folders }: Machine): Promise<readonly Finding[]> {
  const { line, isService, explain } = knownRegistry(settings, folders)
  const sight = await line.look()
  const isFree = sight.kind === 'absent' && !isService()
  const explained = sight.kind === 'known' || isFree ? undefined : await explain(sight.kind)
  const registry = registryFinding(sight, settings.registryPort, explained)
  return [await api({ settings, folders }), registry]
}

async function api({
  settings: { apiPorts },
  folders,
}: Pick<Machine, 'settings' | 'folders'>): Promise<Finding> {
  try {
    await askOwnApi(folders, getConnectorVersion, patienceMs)
    return apiFinding(apiPorts, { port: await ownApiPort(folders) })
  } catch (error) {
    if (!(error instanceof ApiSilent)) throw error
    const { message: silence, isRunning } = error
    return apiFinding(apiPorts, { silence, isRunning, free: await firstFree(apiPorts) })
  }
}

/** The API of this user: where it listens, or why it was not reached; then `free`, the first port it could have. */
export function apiFinding(
  { first, last }: Settings['apiPorts'],
  sight:
    | { readonly port: number }
    | { readonly silence: string; readonly isRunning: boolean; readonly free: number | undefined },
): Finding {
  if ('port' in sight) return { level: 'good', what: `the API answers on port ${sight.port}` }
  const { silence, isRunning, free } = sight
  if (isRunning) {
    const todo = 'end the process "cardwire run" and start it again'
    return { level: 'bad', what: `the API does not answer: ${silence}`, todo }
  }
  if (free === undefined) {
    const todo = 'end what holds them, or set another range: CARDWIRE_API_PORTS'
    return { level: 'bad', what: `no port from ${first} to ${last} is free for the API`, todo }
  }
  const todo = 'start it: cardwire run'
  return { level: 'note', what: `the connector is not running; port ${free} is free for it`, todo }
}

/** `explained`: what is wrong, and what to do; nothing where nothing is wrong. */
export function registryFinding(
  sight: Sight,
  port: number,
  explained: Explanation | undefined,
): Finding {
  if (explained) return { level: 'bad', ...explained }
  if (sight.kind !== 'known') {
    return { level: 'good', what: `port ${port} is free for the registry` }
  }
  const whose = sight.whose === 'service' ? 'the service of this machine' : 'this user’s own'
  return { level: 'good', what: `the registry answers on port ${port} (${whose})` }
}
