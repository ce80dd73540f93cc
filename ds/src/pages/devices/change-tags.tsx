/** Changes of the tags of many devices: the form that asks for the tags, and what the change does with tags and groups. */
import {
  type DeviceChange,
  type DeviceReach,
  maxChangedTags,
  Tag,
  type TagImport,
} from '@cardwire/protocol'
import { Field, HiddenFields } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { createHref, formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { toGroupAddress } from '../groups/group-data.ts'
import { FilterWords } from './change-words.tsx'
import type { Fields } from './filters.tsx'

/** Undefined: not what the operations take. */
export function readTags(typed: string): readonly string[] | undefined {
  const tags = new Set(typed.toLowerCase().split(/[\s,]+/))
  tags.delete('')
  const areTags = [...tags].every((tag) => Tag.safeParse(tag).success)
  return areTags && tags.size > 0 && tags.size <= maxChangedTags ? [...tags] : undefined
}

/** Asks which tags; `typed`: what is none. */
export function askForTags(
  context: PageContext,
  change: DeviceChange,
  filter: Fields,
  typed: string | undefined,
): Promise<Response> {
  const { manyDevices, groups, devices } = readTexts()
  const { tagsHint, nextButton } = manyDevices.tags
  return showPage(context, {
    title: manyDevices.changes[change].title,
    trail: [{ to: 'devices', text: devices.title }],
    status: typed === undefined ? 200 : 422,
    children: (
      <>
        <p>
          <FilterWords filter={String(new URLSearchParams(filter))} />
        </p>
        <form method="get" action="devices/change">
          <HiddenFields values={[...Object.entries(filter), ['change', change]]} />
          <Field
            name="tags"
            label={groups.ofDevice.tags}
            hint={tagsHint(maxChangedTags)}
            value={typed}
            error={typed === undefined ? undefined : manyDevices.tags.wrong}
            required
          />
          <div class="actions">
            <button type="submit">{nextButton}</button>
            <a href={createHref('devices', filter)}>{readTexts().frame.cancel}</a>
          </div>
        </form>
      </>
    ),
  })
}

/** The devices that keep their tags, and the groups that change. */
export const TagEffects = ({ reach: { reach, tagged } }: { readonly reach: DeviceReach }) => {
  if (!tagged) return null
  const { tags: texts } = readTexts().manyDevices
  const { refused, groups } = tagged
  return (
    <>
      {refused.count > 0 && (
        <div class="warning">
          <p>{texts.refused(refused.count)}</p>
          <ul>
            {refused.devices.map(({ id, hostname = id }) => (
              <li>
                <a href={`devices/${id}`}>{hostname}</a>
              </li>
            ))}
          </ul>
          {refused.count > refused.devices.length && (
            <p>{texts.others(refused.count - refused.devices.length)}</p>
          )}
        </div>
      )}
      {reach > 0 &&
        (groups.length === 0 ? <p>{texts.noGroups}</p> : <GroupChanges groups={groups} />)}
    </>
  )
}

/** How many devices enter and leave which group. */
export const GroupChanges = ({ groups }: { readonly groups: TagImport['groups'] }) => {
  const { caption, group, entering, leaving, uncounted } = readTexts().manyDevices.tags.groups
  return (
    <Table
      caption={caption}
      head={[group, entering, leaving]}
      numbers={[1, 2]}
      rows={groups.map((one) => [
        <a href={toGroupAddress(one.id)}>{one.name}</a>,
        one.entering === undefined ? uncounted : formatCount(one.entering),
        one.leaving === undefined ? uncounted : formatCount(one.leaving),
      ])}
    />
  )
}
