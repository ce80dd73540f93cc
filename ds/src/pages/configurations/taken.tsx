/** The configurations that a version has already, where another one of their types is refused: named, with links. */
import { type Configuration, type ConfigurationType, listConfigurations } from '@cardwire/protocol'
import type { PageContext } from '../frame/page-env.ts'
import { readGroupNames } from '../groups/group-names.ts'
import { nameConfiguration, toConfigurationAddress } from './configuration-data.ts'

type Listed = Pick<Configuration, 'id' | 'type' | 'versionId' | 'groupId'>

/** Those of a version, by type; of all types when absent, for all devices and for groups. */
export async function findOfVersion(
  context: PageContext,
  versionId: string,
  type?: ConfigurationType,
): Promise<readonly Configuration[]> {
  const found: Configuration[] = []
  for (let page = 1; ; page += 1) {
    const query = { versionId, type, size: '100', page: String(page) }
    const { data } = await context.var.api.call(listConfigurations, { query })
    found.push(...data.items)
    if (data.items.length === 0 || found.length >= data.total) return found
  }
}

/** Whether a version can have only one of both. */
export const isSameSlot = (
  one: Pick<Listed, 'type' | 'groupId'>,
  other: Pick<Listed, 'type' | 'groupId'>,
): boolean => one.type === other.type && one.groupId === other.groupId

/** `sentence`: what is wrong, and what to do with them. */
export async function showTaken(
  context: PageContext,
  { sentence, taken }: { readonly sentence: string; readonly taken: readonly Listed[] },
) {
  const nameGroup = await readGroupNames(context)
  return (
    <div class="error" role="alert">
      <p>{sentence}</p>
      <ul>
        {taken.map(({ id, type, versionId, groupId }) => (
          <li>
            <a href={toConfigurationAddress(id)}>
              {nameConfiguration({ type, versionId, groupName: nameGroup(groupId) })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
