/** One label: its key, its name, and its use. */
import { putLabel, rotateLabelKey } from '@cardwire/client/protocol'
import type { Clock } from '../../ports.ts'
import { DailyChart } from '../charts/chart.tsx'
import { sumByDay } from '../charts/chart-scale.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { isConflict, isEditedFurther, showConflict } from '../frame/conflict.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { createHref, formatCount, Time } from '../frame/parts.tsx'
import { findLabel, readUses, type ShownLabel } from './label-data.ts'
import { KeyState, labelsHome, toLabelAddress } from './labels.tsx'

interface Refused {
  readonly problem?: ApiProblem
  readonly typed?: string
}

export function addLabel(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/labels/:id', async (context) => showLabel(context, await findLabel(context)))

  pages.post('/labels/:id', async (context) => {
    const label = await findLabel(context)
    const form = await readForm(context)
    const name = form.text('name')
    if (isEditedFurther(form)) return showLabel(context, label, { typed: name })
    const body = { id: label.id, orgId: label.orgId, name }
    const changed = await attempt(
      context.var.api.call(putLabel, { body }, { ifMatch: form.text('etag') || undefined }),
    )
    if (!(changed instanceof ApiProblem)) return showNext(context, toLabelAddress(label.id))
    const current = await findLabel(context)
    if (!isConflict(changed)) return showLabel(context, current, { problem: changed, typed: name })
    return showConflict(context, {
      title: `Rename ${current.name}`,
      trail: [labelsHome, { to: toLabelAddress(label.id), text: current.name }],
      kind: 'label',
      id: label.id,
      to: toLabelAddress(label.id),
      page: toLabelAddress(label.id),
      rows: [{ label: 'Name', stored: current.name, mine: name }],
      typed: [['name', name]],
      etag: current.etag,
    })
  })

  async function showLabel(
    context: PageContext,
    label: ShownLabel,
    { problem, typed }: Refused = {},
  ) {
    const { days, uses } = await readUses(context, label.id, clock())
    const here = toLabelAddress(label.id)
    return showPage(context, {
      title: label.name,
      trail: [labelsHome],
      status: toPageStatus(problem),
      children: (
        <>
          <Facts label={label} />
          <p>
            <a href={createHref('audit', { kind: 'label', id: label.id })}>
              History of its changes
            </a>
          </p>
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
          {mayCall(context, rotateLabelKey) && (
            <>
              <h2>API key</h2>
              <p class="actions">
                <a class="button" href={`${here}/rotate`}>
                  {label.keyState === 'active' ? 'Replace the key' : 'Give it a new key'}
                </a>
                {label.keyState === 'active' && (
                  <a class="button second" href={`${here}/revoke`}>
                    Revoke the key
                  </a>
                )}
              </p>
            </>
          )}
          {mayCall(context, putLabel) && (
            <>
              <h2>Rename</h2>
              <ProblemNote problem={problem} fields={['name']} />
              <form method="post" action={here}>
                <input type="hidden" name="etag" value={label.etag} />
                <Field
                  name="name"
                  label="Name"
                  value={typed ?? label.name}
                  error={explainField(problem, 'name')}
                  required
                  maxlength={200}
                />
                <div class="actions">
                  <button type="submit">Rename the label</button>
                </div>
              </form>
              <h2>Remove</h2>
              <p>
                <a class="button second" href={`${here}/remove`}>
                  Remove the label
                </a>
              </p>
            </>
          )}
        </>
      ),
    })
  }
}

const Facts = ({ label }: { readonly label: ShownLabel }) => (
  <dl>
    <dt>Id</dt>
    <dd>
      <code>{label.id}</code>
    </dd>
    <dt>Organization</dt>
    <dd>
      <a href={`organizations/${encodeURIComponent(label.orgId)}`}>{label.orgId}</a>
    </dd>
    <dt>API key</dt>
    <dd>
      <KeyState label={label} />
    </dd>
    <dt>Key last used</dt>
    <dd>{label.keyUsedAt ?? 'Never'}</dd>
    <dt>Added</dt>
    <dd>
      <Time at={label.createdAt} />
    </dd>
  </dl>
)
