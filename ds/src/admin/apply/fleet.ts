/** The groups, versions, configurations and rollouts of a running service. */
import {
  type Configuration,
  type Group,
  listConfigurations,
  listGroups,
  listRollouts,
  listVersions,
  type Rollout,
  type Version,
} from '@cardwire/protocol'
import type { CallRemote } from '../remote-service.ts'
import { toConfigurationKey } from './resources.ts'

export interface Fleet {
  /** By name. */
  readonly groups: ReadonlyMap<string, Group>
  /** By ID. */
  readonly versions: ReadonlyMap<string, Version>
  /** By version, type and name of the group. */
  readonly configurations: ReadonlyMap<string, Configuration>
  /** The newest of each version. */
  readonly rollouts: ReadonlyMap<string, Rollout>
}

const pageSize = 100

export async function readFleet(call: CallRemote): Promise<Fleet> {
  const groups = await readPages((query) => call('list the groups', listGroups, { query }))
  const versions = await readPages((query) => call('list the versions', listVersions, { query }))
  const configurations = await readPages((query) =>
    call('list the configurations', listConfigurations, { query }),
  )
  const rollouts = await readPages((query) => call('list the rollouts', listRollouts, { query }))
  const names = new Map(groups.map(({ id, name }) => [id, name]))
  const toKey = ({ versionId, type, groupId }: Configuration) =>
    toConfigurationKey(versionId, type, groupId === undefined ? undefined : names.get(groupId))
  return {
    groups: new Map(groups.map((one) => [one.name, one])),
    versions: new Map(versions.map((one) => [one.id, one])),
    configurations: new Map(configurations.map((one) => [toKey(one), one])),
    // The newest one comes first.
    rollouts: new Map(rollouts.toReversed().map((one) => [one.version, one])),
  }
}

async function readPages<T>(
  read: (query: { page: string; size: string }) => Promise<{
    readonly items: readonly T[]
    readonly total: number
  }>,
): Promise<readonly T[]> {
  const found: T[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await read({ page: String(page), size: String(pageSize) })
    found.push(...items)
    if (items.length === 0 || found.length >= total) return found
  }
}
