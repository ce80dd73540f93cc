/** One label: its key, its name, and its use. */
import { putLabel, rotateLabelKey } from '@cardwire/client/protocol'
import type { Clock } from '../../ports.ts'
import { DailyChart } from '../charts/chart.tsx'
import { sumByDay } from '../charts/chart-scale.ts'
import type { ApiProblem } from '../frame/api.ts'
import { explainField, mayCall, toPageStatus } from '../frame/change.tsx'
import { FactList } from '../frame/facts.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, formatCount, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { saveEdit } from '../frame/save-edit.ts'
import { findLabel, readUses, type ShownLabel } from './label-data.ts'
import { KeyState, labelsHome, toLabelAddress } from './labels.tsx'

export function addLabel(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/labels/:id', async (context) => {
    const label = await findLabel(context)
    return showLabel(context, label, label.name)
  })

  pages.post('/labels/:id', async (context) =>
    saveEdit(context, await findLabel(context), {
      find: findLabel,
      toAddress: toLabelAddress,
      read: (form) => form.text('name'),
      show: showLabel,
      store: (_, { id, orgId }, name, ifMatch) => {
        const body = { id, orgId, name }
        return context.var.api.call(putLabel, { body }, { ifMatch: ifMatch || undefined })
      },
      describeConflict: ({ id, name }, typed) => ({
        title: `Rename ${name}`,
        trail: [labelsHome, { to: toLabelAddress(id), text: name }],
        kind: 'label',
        rows: [{ label: 'Name', stored: name, mine: typed }],
        typed: [['name', typed]],
      }),
    }),
  )

  async function showLabel(
    context: PageContext,
    label: ShownLabel,
    typed: string,
    problem?: ApiProblem,
  ) {
    const { days, uses } = await readUses(context, label.id, clock())
    const here = toLabelAddress(label.id)
    return showPage(context, {
      title: label.name,
      trail: [labelsHome],
      status: toPageStatus(problem),
      children: (
        <>
          <FactList facts={toFacts(label)} />
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
              <PostForm to={here} button="Rename the label" etag={label.etag}>
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

const toFacts = (label: ShownLabel) => ({
  Id: <code>{label.id}</code>,
  Organization: <a href={`organizations/${encodeURIComponent(label.orgId)}`}>{label.orgId}</a>,
  'API key': <KeyState label={label} />,
  'Key last used': label.keyUsedAt ?? 'Never',
  Added: <Time at={label.createdAt} />,
})
