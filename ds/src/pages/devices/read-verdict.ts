/** What a device will be told when it synchronizes next. */
import {
  type Device,
  type DeviceRollout,
  getVersion,
  listVersions,
  type Verdict,
} from '@cardwire/protocol'
import { applyRollouts } from '../../rules/rollout.ts'
import { decideVerdict } from '../../rules/verdict.ts'
import { type Api, ApiProblem } from '../frame/api.ts'
import { attempt } from '../frame/change.tsx'

type RolledOutDevice = Pick<Device, 'version' | 'platform'> & {
  readonly rollouts: readonly DeviceRollout[]
}

/** Only rollouts that offer their version reach a device. */
const planned = { state: 'running', stages: [], stage: 0 } as const

/**
 * `target`: the version that it is offered. Of very many versions the first hundred are looked at. Undefined: the service does
 * not know the version of the device, and refuses to synchronize it.
 */
export async function readVerdict(
  api: Api,
  { implicitVersions }: { readonly implicitVersions: boolean },
  { version, platform, rollouts }: RolledOutDevice,
): Promise<{ readonly action: Verdict['action']; readonly target?: string } | undefined> {
  const { data } = await api.call(listVersions, { query: { size: '100' } })
  if (!implicitVersions && !data.items.some(({ id }) => id === version)) {
    const known = await attempt(api.call(getVersion, { params: { id: version } }))
    if (known instanceof ApiProblem) return undefined
  }
  const plans = rollouts.map((rollout) => ({ ...rollout, ...planned, versionId: rollout.version }))
  const reachedBy = new Set(rollouts.filter(({ group }) => group === 'reached').map(({ id }) => id))
  const seen = applyRollouts(data.items, plans, reachedBy)
  const { action, target } = decideVerdict(version, platform, seen)
  return { action, ...(target && { target: target.id }) }
}
