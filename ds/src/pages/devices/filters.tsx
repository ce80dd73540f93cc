/** The filters of the list of devices: a form whose address can be kept. */
import { DeviceStanding, exportDevices, Platform, Tag, Verdict } from '@cardwire/protocol'
import type { RequestParts } from '@cardwire/protocol/call'
import { Field, HiddenFields, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { describeFault, faultKinds } from './words.ts'

/** The fields of an address that are not empty. */
export type Fields = Readonly<Record<string, string>>

export type DeviceQuery = RequestParts<typeof exportDevices>['query']

/** Whether the operations take the fields. */
export const isDeviceQuery = (fields: Fields): fields is Fields & DeviceQuery =>
  exportDevices.query.safeParse(fields).success

export function readFields({ req }: PageContext): Fields {
  const fields = Object.entries(req.query()).map(([name, value]) => [
    name,
    name === 'tag' ? value.trim().toLowerCase() : value.trim(),
  ])
  return Object.fromEntries(fields.filter(([, value]) => value !== ''))
}

/** For an address whose filter the operations do not take. What was typed stays when only the tag is none. */
export function showUnknownFilter(context: PageContext): Promise<Response> {
  const { tag, page: _, sort, ...others } = readFields(context)
  const isWrongTag = tag !== undefined && !Tag.safeParse(tag).success && isDeviceQuery(others)
  return showPage(context, {
    title: readTexts().devices.title,
    status: 422,
    children: (
      <>
        <div class="error" role="alert">
          <p>{readTexts().devices.filters[isWrongTag ? 'wrongTag' : 'unknown']}</p>
        </div>
        {isWrongTag ? (
          <FilterForm fields={{ ...(others as Fields), tag }} sort={sort} isWrongTag />
        ) : (
          <FilterForm fields={{}} />
        )}
      </>
    ),
  })
}

export const FilterForm = ({
  fields,
  sort,
  isWrongTag = false,
}: {
  readonly fields: Fields
  readonly sort?: string | undefined
  readonly isWrongTag?: boolean
}) => {
  const { filters: texts, standings, updates } = readTexts().devices
  return (
    <search>
      <form method="get" action="devices" class="filters">
        {sort !== undefined && <HiddenFields values={[['sort', sort]]} />}
        <Field
          name="q"
          label={texts.search}
          type="search"
          value={fields['q']}
          maxlength={255}
          hint={texts.searchHint}
        />
        <Choice
          name="standing"
          label={texts.status}
          fields={fields}
          options={DeviceStanding.options.map((value) => ({ value, text: standings[value] }))}
        />
        <Choice
          name="fault"
          label={texts.error}
          fields={fields}
          options={[
            { value: 'any', text: texts.anyError },
            ...listFaultKinds(fields['fault']).map((value) => ({
              value,
              text: describeFault(value).what,
            })),
          ]}
        />
        <Choice
          name="os"
          label={texts.system}
          fields={fields}
          options={Platform.options.map((value) => ({ value, text: readTexts().systems[value] }))}
        />
        <Choice
          name="verdict"
          label={texts.update}
          fields={fields}
          options={Verdict.shape.action.options.map((value) => ({
            value,
            text: updates[value],
          }))}
        />
        <Field name="version" label={texts.version} value={fields['version']} maxlength={256} />
        <Field
          name="tag"
          label={texts.tag}
          value={fields['tag']}
          maxlength={64}
          error={isWrongTag ? texts.tagForm : undefined}
        />
        <div class="actions">
          <button type="submit">{readTexts().frame.search}</button>
          <a href="devices">{texts.clear}</a>
        </div>
      </form>
    </search>
  )
}

/** The known ones, and the one that an address names. */
const listFaultKinds = (chosen: string | undefined): readonly string[] =>
  chosen === undefined || chosen === 'any' || faultKinds.some((kind) => kind === chosen)
    ? faultKinds
    : [...faultKinds, chosen]

const Choice = ({
  name,
  label,
  fields,
  options,
}: {
  readonly name: string
  readonly label: string
  readonly fields: Fields
  readonly options: readonly { readonly value: string; readonly text: string }[]
}) => (
  <Select
    name={name}
    label={label}
    value={fields[name] ?? ''}
    options={[{ value: '', text: readTexts().devices.filters.any }, ...options]}
  />
)
