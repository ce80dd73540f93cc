/** What the audit calls the things that have ids only a program reads. */
import {
  type AuditEntry,
  getConfiguration,
  getDevice,
  getLabel,
  getOrganization,
  listGroups,
  listRollouts,
  maxGroups,
} from '@cardwire/client/protocol'
import { nameConfiguration } from './configurations/configuration-data.ts'
import { nameDevice } from './devices/words.ts'
import { readNames } from './frame/names.ts'
import type { PageContext } from './frame/page-env.ts'
import { toShortId } from './signing-keys.tsx'

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
  const { data } = await api.call(listGroups, { query: { size: String(maxGroups) } })
  return data.items.find((group) => group.id === id)?.name
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

/** One list names all of them; each by itself would count its devices. */
async function readRolloutNames(api: Api, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>()
  const { data } = await api.call(listRollouts, { query: { size: '100' } })
  return new Map(data.items.map(({ id, version }) => [id, version]))
}
