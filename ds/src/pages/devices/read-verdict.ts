/** What a device will be told when it synchronizes next. */
import { type Device, getVersion, listVersions, type Verdict } from '@cardwire/client/protocol'
import { decideVerdict } from '../../rules/verdict.ts'
import { type Api, ApiProblem } from '../frame/api.ts'
import { attempt } from '../frame/change.tsx'

/**
 * `target`: the version that it is offered. Of very many versions the first hundred are looked at. Undefined: the service does
 * not know the version of the device, and refuses to synchronize it.
 */
export async function readVerdict(
  api: Api,
  { implicitVersions }: { readonly implicitVersions: boolean },
  { version, platform }: Pick<Device, 'version' | 'platform'>,
): Promise<{ readonly action: Verdict['action']; readonly target?: string } | undefined> {
  const { data } = await api.call(listVersions, { query: { size: '100' } })
  if (!implicitVersions && !data.items.some(({ id }) => id === version)) {
    const known = await attempt(api.call(getVersion, { params: { id: version } }))
    if (known instanceof ApiProblem) return undefined
  }
  const { action, target } = decideVerdict(version, platform, data.items)
  return { action, ...(target && { target: target.id }) }
}
