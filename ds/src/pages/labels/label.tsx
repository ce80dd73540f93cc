/** One label: its key, its name, and its use. */
import { putLabel, rotateLabelKey } from '@cardwire/client/protocol'
import type { Clock } from '../../ports.ts'
import { DailyChart } from '../charts/chart.tsx'
import { sumByDay } from '../charts/chart-scale.ts'
import type { ApiProblem } from '../frame/api.ts'
import { explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { editForm } from '../frame/edit-form.ts'
import { FactList } from '../frame/facts.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, formatCount, HistoryLink, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { findLabel, readUses, type ShownLabel } from './label-data.ts'
import { KeyState, labelsHome, toLabelAddress } from './labels.tsx'

export function addLabel(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  editForm(pages, '/labels/:id', {
    find: findLabel,
    toAddress: toLabelAddress,
    toTyped: ({ name }) => name,
    read: (form) => form.text('name'),
    show: (...shown) => showLabel(clock(), ...shown),
    store: ({ var: { api } }, { id, orgId }, name, ifMatch) =>
      api.call(putLabel, { body: { id, orgId, name } }, { ifMatch: ifMatch || undefined }),
    describeConflict: ({ id, name }, typed) => ({
      title: `Rename ${name}`,
      trail: [labelsHome, { to: toLabelAddress(id), text: name }],
      kind: 'label',
      rows: [{ label: 'Name', stored: name, mine: typed }],
      typed: [['name', typed]],
    }),
  })
}

/** `now`: milliseconds since 1970. */
async function showLabel(
  now: number,
  context: PageContext,
  label: ShownLabel,
  typed: string,
  problem?: ApiProblem,
) {
  const use = await readUses(context, label.id, now)
  return showPage(context, {
    title: label.name,
    trail: [labelsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <FactList facts={toFacts(label)} />
        <HistoryLink kind="label" id={label.id} />
        <Use label={label} {...use} />
        {mayCall(context, rotateLabelKey) && <KeyActs label={label} />}
        {mayCall(context, putLabel) && (
          <>
            <h2>Rename</h2>
            <ProblemNote problem={problem} fields={['name']} />
            <PostForm to={toLabelAddress(label.id)} button="Rename the label" etag={label.etag}>
              <Field
                name="name"
                label="Name"
                value={typed}
                error={explainField(problem, 'name')}
                required
                maxlength={200}
              />
            </PostForm>
            <h2>Remove</h2>
            <p>
              <a class="button second" href={`${toLabelAddress(label.id)}/remove`}>
                Remove the label
              </a>
            </p>
          </>
        )}
      </>
    ),
  })
}

const Use = ({
  label,
  days,
  uses,
}: { readonly label: ShownLabel } & Awaited<ReturnType<typeof readUses>>) => (
  <>
    <h2>Use in the last 30 days</h2>
    <DailyChart
      id="uses"
      title={`Uses by day, with tokens of ${label.name}`}
      description={`${formatCount(uses.total)} uses from ${days[0]} to ${days.at(-1)}`}
      days={days}
      series={[{ name: 'Uses', values: sumByDay(days, uses.days) }]}
    />
    <p>
      {formatCount(uses.total)} uses.{' '}
      <a href={createHref('use', { label: label.id, from: days[0] })}>As a table</a>
    </p>
  </>
)

const KeyActs = ({ label: { id, keyState } }: { readonly label: ShownLabel }) => (
  <>
    <h2>API key</h2>
    <p class="actions">
      <a class="button" href={`${toLabelAddress(id)}/rotate`}>
        {keyState === 'active' ? 'Replace the key' : 'Give it a new key'}
      </a>
      {keyState === 'active' && (
        <a class="button second" href={`${toLabelAddress(id)}/revoke`}>
          Revoke the key
        </a>
      )}
    </p>
  </>
)

const toFacts = (label: ShownLabel) => ({
  Id: <code>{label.id}</code>,
  Organization: <a href={`organizations/${encodeURIComponent(label.orgId)}`}>{label.orgId}</a>,
  'API key': <KeyState label={label} />,
  'Key last used': label.keyUsedAt ?? 'Never',
  Added: <Time at={label.createdAt} />,
})
