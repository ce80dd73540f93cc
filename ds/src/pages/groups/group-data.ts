/** What the pages of groups share: addresses, the group of a path, and rules in words. */
import { type Group, type GroupDetails, type GroupRule, getGroup } from '@cardwire/protocol'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'

export const groupsHome = 'groups'

export const toGroupAddress = (id: string): string => `groups/${encodeURIComponent(id)}`

export const toGroupsTrail = () => [{ to: groupsHome, text: readTexts().groups.title }]

export const toTrail = ({ id, name }: Pick<Group, 'id' | 'name'>) => [
  ...toGroupsTrail(),
  { to: toGroupAddress(id), text: name },
]

export type ShownGroup = GroupDetails & { readonly etag: string | undefined }

/** The group that the path names. */
export async function findGroup(context: PageContext): Promise<ShownGroup> {
  const id = context.req.param('id') ?? ''
  const { data, etag } = await context.var.api.call(getGroup, { params: { id } })
  return { ...data, etag }
}

/** Its conditions, of which a device has to fit each. */
export function describeRule(rule: GroupRule): readonly string[] {
  const { groups, systems } = readTexts()
  const { conditions } = groups
  const list = (values: readonly string[] | undefined, toText: (text: string) => string) =>
    values ? [toText(values.join(', '))] : []
  return [
    ...list(rule.tags, conditions.tags),
    ...list(rule.reportedTags, conditions.reportedTags),
    ...list(rule.hostnames, conditions.hostnames),
    ...list(
      rule.platforms?.map((platform) => systems[platform]),
      conditions.platforms,
    ),
    ...list(rule.versions, conditions.versions),
  ]
}
