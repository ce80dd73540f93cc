/** The names of all groups: what pages show, and what their forms offer. */
import { type Group, listGroups, maxGroups } from '@cardwire/protocol'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'

/** The one that decides comes first. */
export async function readAllGroups({ var: { api } }: PageContext): Promise<readonly Group[]> {
  const { data } = await api.call(listGroups, { query: { size: String(maxGroups) } })
  return data.items
}

/** The name of a group by its ID; undefined for all devices. A group that is gone keeps its ID. */
export async function readGroupNames(context: PageContext) {
  const names = new Map((await readAllGroups(context)).map(({ id, name }) => [id, name]))
  return (id: string | undefined) => (id === undefined ? undefined : (names.get(id) ?? id))
}

/** The name of one group, as `readGroupNames` has it. */
export const readGroupName = async (context: PageContext, id: string | undefined) =>
  id === undefined ? undefined : (await readGroupNames(context))(id)

/** The options of a list to choose from: all devices, and each group. */
export const toGroupOptions = (groups: readonly Pick<Group, 'id' | 'name'>[]) => [
  { value: '', text: readTexts().groups.allDevices },
  ...groups.map(({ id, name }) => ({ value: id, text: name })),
]
