/** Who changed what, when and from where. */
import {
  type AuditEntry,
  AuditKind,
  deleteVersion,
  exportAudit,
  listAudit,
  type Output,
} from '@cardwire/protocol'
import { ChangeEntry, findChangeId } from '../devices/change-words.tsx'
import { createAddress } from '../frame/api.ts'
import { Field, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, PageLinks, Table, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { findTargets, readTargetNames } from './audit-targets.ts'
import { nameField, nameOperation } from './audit-words.ts'

const here = 'audit'

/** The sign-in of the account for emergencies, which stands out. */
const breakGlassOperation = 'useBreakGlass'

export function addAudit(pages: PageApp): void {
  pages.get('/audit', showAudit)

  pages.get('/audit.csv', (context) =>
    context.var.api.send(
      'GET',
      createAddress(exportAudit, { query: toFilter(readFields(context)) }),
    ),
  )
}

/** As the form has it: days, UTC, both included. */
interface FilterFields {
  readonly who: string | undefined
  readonly kind: string | undefined
  readonly id: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

function readFields({ req }: PageContext): FilterFields {
  const { who, kind, id, from, to } = req.query()
  return { who, kind, id, from, to }
}

const toFilter = ({ who, kind, id, from, to }: FilterFields) => ({
  who: who || undefined,
  // The operation refuses what is none.
  kind: (kind || undefined) as AuditKind | undefined,
  id: id || undefined,
  from: from ? `${from}T00:00:00.000Z` : undefined,
  to: to ? toStartOfNext(to) : undefined,
  // A change of many devices has an entry for each: they are shown where devices are asked for.
  summarized: kind === 'device' || id ? undefined : 'true',
})

/** When the day after begins. The operation refuses what is no day. */
function toStartOfNext(day: string): string {
  const start = Date.parse(`${day}T00:00:00.000Z`)
  return Number.isNaN(start) ? day : new Date(start + 86_400_000).toISOString()
}

type Entries = Exclude<Output<typeof listAudit>, Response>['data']

const listEntries = async (context: PageContext, fields: FilterFields): Promise<Entries> => {
  const query = { ...toFilter(fields), page: context.req.query('page') }
  return (await context.var.api.call(listAudit, { query })).data
}

/** An id is looked for first; what no entry has may be the name of a target. */
async function findEntries(context: PageContext, fields: FilterFields) {
  const data = await listEntries(context, fields)
  const targets =
    fields.id && data.total === 0 ? await findTargets(context, fields.kind, fields.id) : []
  const [target, ...others] = targets
  if (!target || others.length > 0) return { data, fields, targets }
  const { kind, id } = target
  const found = { ...fields, kind, id }
  return { data: await listEntries(context, found), fields: found, targets: [] }
}

async function showAudit(context: PageContext) {
  const { data, fields, targets } = await findEntries(context, readFields(context))
  const { id, kind } = fields
  const chosen = id && AuditKind.options.find((one) => one === kind)
  const nameOf = await readTargetNames(context, [
    ...data.items,
    ...(id && chosen ? [{ kind: chosen, id }] : []),
  ])
  const texts = readTexts().audit
  const { columns } = texts
  return showPage(context, {
    title: texts.title,
    children: (
      <>
        <p>{texts.about}</p>
        <FilterForm fields={{ ...fields, id: id && chosen ? nameOf({ kind: chosen, id }) : id }} />
        <Targets of={targets} />
        <RevisionsLink fields={fields} />
        {data.total === 0 ? (
          <Empty>
            <p>
              {texts.empty((words) => (
                <a href={here}>{words}</a>
              ))}
            </p>
          </Empty>
        ) : (
          <>
            <p>
              <a href={createHref('audit.csv', { ...fields })}>{texts.download}</a>
            </p>
            <Table
              caption={texts.caption}
              head={[
                columns.time,
                columns.who,
                columns.action,
                columns.target,
                columns.fields,
                <>
                  {columns.address}
                  <br />
                  {columns.request}
                </>,
              ]}
              rows={data.items.map((entry) => toRow(entry, nameOf(entry)))}
            />
            <PageLinks to={here} query={{ ...fields }} {...data} />
          </>
        )}
      </>
    ),
  })
}

/** Several that have the name that was typed. */
const Targets = ({ of: targets }: { readonly of: Awaited<ReturnType<typeof findTargets>> }) => {
  const { several, kinds } = readTexts().audit
  if (targets.length === 0) return null
  return (
    <div class="note">
      <p>{several}</p>
      <ul>
        {targets.map(({ kind, id, name }) => (
          <li>
            <a href={createHref(here, { kind, id })}>
              {kinds[kind]} {name} ({id})
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Where the audit is about one configuration or version: its values are in its history. */
const RevisionsLink = ({ fields: { kind, id } }: { readonly fields: FilterFields }) => {
  if (!id || (kind !== 'configuration' && kind !== 'version')) return null
  return (
    <p>
      <a href={`${kind}s/${encodeURIComponent(id)}/history`}>{readTexts().history.link}</a>
    </p>
  )
}

const FilterForm = ({ fields }: { readonly fields: FilterFields }) => {
  const { filters: texts, kinds } = readTexts().audit
  return (
    <search>
      <form class="filters" method="get" action={here}>
        <Field name="who" label={texts.who} value={fields.who} maxlength={200} />
        <Select
          name="kind"
          label={texts.kind}
          value={fields.kind}
          options={[
            { value: '', text: texts.all },
            ...AuditKind.options.map((kind) => ({ value: kind, text: kinds[kind] })),
          ]}
        />
        <Field name="id" label={texts.target} value={fields.id} maxlength={300} />
        <Field name="from" label={texts.from} type="date" value={fields.from} />
        <Field name="to" label={texts.to} type="date" value={fields.to} />
        <button type="submit">{texts.apply}</button>
        <a href={here}>{texts.clear}</a>
      </form>
    </search>
  )
}

/** Leads to the values before and after a change, where there is a history of them. */
const Values = ({
  entry: { at, operation, kind, id },
}: {
  readonly entry: Pick<AuditEntry, 'at' | 'operation' | 'kind' | 'id'>
}) => {
  // A removed version takes its history along.
  const hasHistory = kind === 'configuration' || kind === 'version'
  if (!hasHistory || operation === deleteVersion.name) return null
  return (
    <a href={createHref(`${kind}s/${encodeURIComponent(id)}/history`, { at })}>
      {readTexts().audit.values}
    </a>
  )
}

const FieldNames = ({
  entry,
}: {
  readonly entry: Pick<AuditEntry, 'at' | 'operation' | 'kind' | 'id' | 'fields'>
}) => {
  const changeId = findChangeId(entry)
  if (changeId !== undefined) return <ChangeEntry entry={entry} changeId={changeId} />
  return (
    <>
      {entry.fields.map(nameField).join(', ')} <Values entry={entry} />
    </>
  )
}

const toRow = (
  { at, who, operation, kind, id, fields, address, requestId }: AuditEntry,
  name: string,
) => [
  <Time at={at} />,
  <a href={createHref(here, { who: who.subject })}>{who.name || who.subject}</a>,
  operation === breakGlassOperation ? (
    <strong>{nameOperation(operation)}</strong>
  ) : (
    nameOperation(operation)
  ),
  <>
    {readTexts().audit.kinds[kind]}{' '}
    <a class="id" href={createHref(here, { kind, id })} title={name === id ? undefined : id}>
      {name}
    </a>
  </>,
  <FieldNames entry={{ at, operation, kind, id, fields }} />,
  <>
    {address} {requestId && <code>{requestId}</code>}
  </>,
]
