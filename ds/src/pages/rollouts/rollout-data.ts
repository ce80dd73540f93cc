/** What the pages of rollouts share: addresses, the rollout of a path, the one of a version. */
import { getRollout, listRollouts, type Rollout, type RolloutEvidence } from '@cardwire/protocol'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import type { readGroupNames } from '../groups/group-names.ts'

export const rolloutsHome = 'rollouts'

export const toRolloutAddress = (id: string): string => `rollouts/${encodeURIComponent(id)}`

export const toRolloutsTrail = () => [{ to: rolloutsHome, text: readTexts().rollouts.title }]

export const toTrail = ({ id, version }: Pick<Rollout, 'id' | 'version'>) => [
  ...toRolloutsTrail(),
  { to: toRolloutAddress(id), text: version },
]

export type ShownRollout = Rollout & {
  readonly evidence: RolloutEvidence
  readonly etag: string | undefined
}

/** The rollout that the path names. */
export async function findRollout(context: PageContext): Promise<ShownRollout> {
  const id = context.req.param('id') ?? ''
  const { data, etag } = await context.var.api.call(getRollout, { params: { id } })
  return { ...data, etag }
}

/** Those that have not finished, of the latest hundred. */
export async function listOpenRollouts({ var: { api } }: PageContext): Promise<readonly Rollout[]> {
  const { data } = await api.call(listRollouts, { query: { size: '100' } })
  return data.items.filter(({ state }) => state !== 'finished')
}

/** Whether it offers its version to devices: it can be halted. */
export const isOffering = ({ state }: Pick<Rollout, 'state'>): boolean =>
  state === 'running' || state === 'paused'

/** Whether it can be removed: no device is offered the version. */
export const isRemovable = ({ state }: Pick<Rollout, 'state'>): boolean =>
  state === 'draft' || state === 'halted'

/** The group whose share is offered the version now; undefined: the share is one of all devices. */
export const getGroup = ({ state, stages, stage }: Rollout): string | undefined =>
  isOffering({ state }) ? stages[stage]?.group : undefined

/** The percentage of devices that are offered the version. */
export const getShare = ({ state, stages, stage }: Rollout): number =>
  state === 'finished' ? 100 : isOffering({ state }) ? (stages[stage]?.share ?? 0) : 0

/** The same in words, with the group. */
export function describeShare(
  rollout: Rollout,
  nameGroup: Awaited<ReturnType<typeof readGroupNames>>,
): string {
  const share = readTexts().numbers.percent(getShare(rollout))
  const group = nameGroup(getGroup(rollout))
  return group === undefined ? share : `${share} (${group})`
}
