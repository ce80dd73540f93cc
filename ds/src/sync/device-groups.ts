/** Finds the groups that a device is in, and the configurations that they give it. */
import type { MatchedGroup } from '@cardwire/protocol'
import type { devices } from '../db/schema.ts'
import { chooseConfigurations, type GroupFacts } from '../rules/group.ts'
import { toLowerAscii } from '../rules/lower-ascii.ts'
import type { Catalog } from './catalog.ts'

type DeviceRow = Pick<
  typeof devices.$inferSelect,
  'tags' | 'device' | 'platform' | 'version' | 'approved'
>

export const toGroupFacts = ({ tags, device, platform, version }: DeviceRow): GroupFacts => ({
  ...{ tags, platform, version },
  reportedTags: device.tags ?? [],
  hostname: device.hostname === undefined ? undefined : toLowerAscii(device.hostname),
})

/** The one that decides comes first. */
export const findGroups = (
  { groups }: Pick<Catalog, 'groups'>,
  facts: GroupFacts,
): MatchedGroup[] =>
  groups.flatMap(({ id, name, findRule }) => {
    const rule = findRule(facts)
    return rule ? [{ id, name, rule }] : []
  })

export const listGroupIds = (
  { groups }: Pick<Catalog, 'groups'>,
  facts: GroupFacts,
): readonly string[] =>
  groups.filter(({ findRule }) => findRule(facts) !== undefined).map(({ id }) => id)

/** As administrators see them: without their content. */
export async function listConfigurationsOf(
  catalog: Pick<Catalog, 'groups' | 'getConfigurations'>,
  row: DeviceRow,
) {
  const rows = await catalog.getConfigurations(row.version)
  return chooseConfigurations(rows, listGroupIds(catalog, toGroupFacts(row)))
    .filter(({ type }) => type !== 'SSL_KEYSTORE' || row.approved)
    .map(({ id, type, groupId }) => ({ id, type, ...(groupId !== '' && { groupId }) }))
}
