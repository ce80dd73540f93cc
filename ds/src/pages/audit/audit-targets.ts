/** What the audit calls the things that have ids only a program reads. */
import {
  type AuditEntry,
  getConfiguration,
  getDevice,
  getLabel,
  getOrganization,
  listConfigurations,
  listDevices,
  listGroups,
  listLabels,
  listOrganizations,
  listRollouts,
  listSigningKeys,
  maxGroups,
} from '@cardwire/protocol'
import { nameConfiguration } from '../configurations/configuration-data.ts'
import { nameDevice } from '../devices/words.ts'
import { isSame } from '../frame/named-filter.tsx'
import { readNames } from '../frame/names.ts'
import type { PageContext } from '../frame/page-env.ts'
import { toShortId } from '../signing-keys/signing-keys.tsx'

type Target = Pick<AuditEntry, 'kind' | 'id'>
type Api = PageContext['var']['api']

const readers: Partial<
  Record<AuditEntry['kind'], (api: Api, id: string) => Promise<string | undefined>>
> = {
  device: async (api, id) => nameDevice((await api.call(getDevice, { params: { id } })).data),
  configuration: async (api, id) => {
    const { data } = await api.call(getConfiguration, { params: { id } })
    return nameConfiguration({ ...data, groupName: await nameGroup(api, data.groupId) })
  },
  organization: async (api, id) => (await api.call(getOrganization, { params: { id } })).data.name,
  label: async (api, id) => (await api.call(getLabel, { params: { id } })).data.name,
  group: nameGroup,
  'signing-key': async (_, id) => toShortId({ id }),
}

async function nameGroup(api: Api, id: string | undefined) {
  if (id === undefined) return undefined
  return (await listGroupNames(api)).find((group) => group.id === id)?.name
}

/** The name of the target of each entry; what is gone keeps its id. */
export async function readTargetNames(
  { var: { api } }: PageContext,
  entries: readonly Target[],
): Promise<(target: Target) => string> {
  const idsOf = (kind: AuditEntry['kind']) =>
    entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
  const rollouts = await readRolloutNames(api, idsOf('rollout'))
  const byKind = new Map(
    await Promise.all(
      Object.entries(readers).map(
        async ([kind, read]) =>
          [
            kind,
            await readNames(idsOf(kind as AuditEntry['kind']), (id) => read(api, id)),
          ] as const,
      ),
    ),
  )
  return ({ kind, id }) =>
    kind === 'rollout' ? (rollouts.get(id) ?? id) : (byKind.get(kind)?.(id) ?? id)
}

interface Named {
  readonly id: string
  readonly name: string
}

/** One list names all of them; each by itself would count its devices. */
async function readRolloutNames(api: Api, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>()
  return new Map((await listRolloutNames(api)).map(({ id, name }) => [id, name]))
}

interface Named {
  readonly id: string
  readonly name: string
}

const all = { size: '100' }

const listRolloutNames = async (api: Api) =>
  (await api.call(listRollouts, { query: all })).data.items.map(({ id, version }) => ({
    id,
    name: version,
  }))

const listGroupNames = async (api: Api): Promise<readonly Named[]> =>
  (await api.call(listGroups, { query: { size: String(maxGroups) } })).data.items

/** Those that may have a name, of the kinds whose ids are no names. */
const finders: Partial<
  Record<AuditEntry['kind'], (api: Api, name: string) => Promise<readonly Named[]>>
> = {
  organization: async (api, name) =>
    (await api.call(listOrganizations, { query: { ...all, name } })).data.items,
  label: async (api, name) => (await api.call(listLabels, { query: { ...all, name } })).data.items,
  group: listGroupNames,
  rollout: listRolloutNames,
  device: async (api, name) =>
    (await api.call(listDevices, { query: { ...all, hostname: name } })).data.items.map((one) => ({
      id: one.id,
      name: nameDevice(one),
    })),
  configuration: async (api) => {
    const groups = new Map((await listGroupNames(api)).map(({ id, name }) => [id, name]))
    const { items } = (await api.call(listConfigurations, { query: all })).data
    return items.map(({ id, type, versionId, groupId }) => ({
      id,
      name: nameConfiguration({ type, versionId, groupName: groupId && groups.get(groupId) }),
    }))
  },
  'signing-key': async (api) =>
    (await api.call(listSigningKeys, {})).data.map(({ id }) => ({ id, name: toShortId({ id }) })),
}

/** What has a name, of one kind or of all. */
export async function findTargets(
  { var: { api } }: PageContext,
  kind: string | undefined,
  name: string,
): Promise<readonly (Target & Named)[]> {
  const found = await Promise.all(
    Object.entries(finders)
      .filter(([one]) => !kind || one === kind)
      .map(async ([one, find]) =>
        (await find(api, name))
          .filter((named) => isSame(named.name, name))
          .map((named) => ({ kind: one as AuditEntry['kind'], id: named.id, name: named.name })),
      ),
  )
  return found.flat()
}
