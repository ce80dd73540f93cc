/** What a change of many devices does, and with which, in words. */
import {
  type AuditEntry,
  changeDevices,
  DeviceChange,
  type ManyDeviceChange,
} from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import { formatCount, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { describeFault } from './words.ts'

/** Where the page of a change is. */
export const toChangeAddress = (id: string): string => `devices/changes/${encodeURIComponent(id)}`

type Counts = Pick<ManyDeviceChange, 'done' | 'changedSince'>

/** The devices that are still as the change has left them. */
export const countStanding = ({ done, changedSince }: Counts): number =>
  Math.max(0, done - changedSince)

/** The same after `done`, a sentence about those that are, with those that are no longer. */
export const describeStanding = (done: (devices: number) => string, change: Counts): string => {
  const standing = done(countStanding(change))
  const { changedSince } = change
  if (changedSince === 0) return standing
  return `${standing} ${readTexts().manyDevices.changedSince(changedSince)}`
}

/** Which devices a change is about. */
export const DevicesOf = ({ change, filter }: Pick<ManyDeviceChange, 'change' | 'filter'>) =>
  change === 'importTags' ? (
    <span>{readTexts().manyDevices.import.devices}</span>
  ) : (
    <FilterWords filter={filter} />
  )

/** `filter`: as a query. */
export const FilterWords = ({ filter }: { readonly filter: string }) => {
  const fields = [...new URLSearchParams(filter)]
  if (fields.length === 0) return <>{readTexts().manyDevices.filter.all}</>
  return (
    <>
      {fields.map(([name, value], at) => (
        <>
          {at > 0 && ', '}
          {describeField(name, value)}
        </>
      ))}
    </>
  )
}

const describeField = (name: string, value: string): Child =>
  Object.hasOwn(fieldWords, name) ? fieldWords[name]?.(value) : field(name, value)

const field = (name: string, value: string): string => readTexts().frame.field(name, value)

const fieldWords: Readonly<Record<string, (value: string) => Child>> = {
  q: (value) => field(readTexts().devices.filters.search, value),
  hostname: (value) => field(readTexts().manyDevices.filter.hostname, value),
  version: (value) => field(readTexts().devices.filters.version, value),
  tag: (value) => field(readTexts().devices.filters.tag, value),
  // Of the change, and no part of a filter.
  tags: (value) => field(readTexts().groups.ofDevice.tags, value.replaceAll(',', ', ')),
  os: (value) => field(readTexts().devices.filters.system, look(readTexts().systems, value)),
  standing: (value) => {
    const { filters, standings } = readTexts().devices
    return field(filters.status, look(standings, value))
  },
  verdict: (value) => {
    const { filters, updates } = readTexts().devices
    return field(filters.update, look(updates, value))
  },
  fault: (value) => {
    const { error, anyError } = readTexts().devices.filters
    return value === 'any' ? anyError : field(error, describeFault(value).what)
  },
  blocked: (value) =>
    value === 'true' ? readTexts().devices.standings.blocked : readTexts().manyDevices.filter.open,
  approved: (value) =>
    value === 'true'
      ? readTexts().manyDevices.filter.approved
      : readTexts().devices.standings.waiting,
  seenBefore: (value) => readTexts().manyDevices.filter.seenBefore(<Time at={value} />),
  seenAfter: (value) => readTexts().manyDevices.filter.seenAfter(<Time at={value} />),
  changedBy: (value) =>
    readTexts().manyDevices.filter.changedBy((words) => (
      <a href={toChangeAddress(value)}>{words}</a>
    )),
}

const look = (words: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(words, value) ? (words[value] ?? value) : value

type Entry = Pick<AuditEntry, 'operation' | 'kind' | 'id' | 'fields'>

/** The change that an entry of the audit is about; undefined: of none, or of one from before entries named it. */
export function findChangeId({ operation, kind, id, fields }: Entry): string | undefined {
  if (operation !== changeDevices.name) return undefined
  const [, ofDevice] = fields
  const changeId = kind === 'devices' ? id : ofDevice
  return changeId !== undefined && changeDevices.params.safeParse({ id: changeId }).success
    ? changeId
    : undefined
}

/** What an entry says, in place of the names of its fields. */
export const ChangeEntry = ({
  entry,
  changeId,
}: {
  readonly entry: Entry
  readonly changeId: string
}) => {
  const texts = readTexts().manyDevices
  const [name = '', count = '', ...rest] = entry.fields
  const [tags] = rest.filter((one) => one.startsWith('tags='))
  const filter = rest.find((one) => one !== tags) ?? ''
  const change = DeviceChange.safeParse(name).data
  const title = change === undefined ? name : texts.changes[change].title
  return (
    <>
      {entry.kind === 'devices' ? (
        <>
          {field(title, formatCount(Number(count)))} (
          {change === undefined ? (
            <FilterWords filter={filter} />
          ) : (
            <DevicesOf change={change} filter={filter} />
          )}
          {tags !== undefined && (
            <>
              ; <FilterWords filter={tags} />
            </>
          )}
          )
        </>
      ) : (
        title
      )}{' '}
      <a href={toChangeAddress(changeId)}>{texts.list.show}</a>
    </>
  )
}
