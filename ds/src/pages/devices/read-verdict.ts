/** What a device will be told when it synchronizes next. */
import { type Device, listVersions, type Verdict } from '@cardwire/client/protocol'
import { decideVerdict } from '../../rules/verdict.ts'
import type { Api } from '../frame/api.ts'

/** `target`: the version that it is offered. Of very many versions the first hundred are looked at. */
export async function readVerdict(
  api: Api,
  { version, platform }: Pick<Device, 'version' | 'platform'>,
): Promise<{ readonly action: Verdict['action']; readonly target?: string }> {
  const { data } = await api.call(listVersions, { query: { size: '100' } })
  const { action, target } = decideVerdict(version, platform, data.items)
  return { action, ...(target && { target: target.id }) }
}
