/** One label: its key, its name, and its use. */
import { putLabel, rotateLabelKey } from '@cardwire/protocol'
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
import { createHref, HistoryLink, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { findLabel, readUses, type ShownLabel } from './label-data.ts'
import {
  describeKeyUse,
  KeyState,
  labelsHome,
  readOrganizationNames,
  toLabelAddress,
} from './labels.tsx'

export function addLabel(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  editForm(pages, '/labels/:id', {
    find: findLabel,
    toAddress: toLabelAddress,
    toTyped: ({ name }) => name,
    read: (form) => form.text('name'),
    show: (...shown) => showLabel(clock(), ...shown),
    store: ({ var: { api } }, { id, orgId }, name, ifMatch) =>
      api.call(
        putLabel,
        { query: {}, body: { id, orgId, name } },
        { ifMatch: ifMatch || undefined },
      ),
    operation: putLabel,
    describeConflict: ({ id, name }, typed) => ({
      title: readTexts().labels.rename.conflictTitle(name),
      trail: [labelsHome, { to: toLabelAddress(id), text: name }],
      kind: 'label',
      rows: [{ label: readTexts().labels.name, stored: name, mine: typed }],
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
  const nameOf = await readOrganizationNames(context, [label])
  const texts = readTexts().labels
  return showPage(context, {
    title: label.name,
    trail: [labelsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <p class="soft">{texts.inTheApi}</p>
        <FactList facts={toFacts(label, nameOf(label.orgId))} />
        <HistoryLink kind="label" id={label.id} />
        <Use label={label} {...use} />
        {mayCall(context, rotateLabelKey) && <KeyActs label={label} />}
        {mayCall(context, putLabel) && (
          <>
            <h2>{texts.rename.title}</h2>
            <ProblemNote problem={problem} fields={['name']} />
            <PostForm to={toLabelAddress(label.id)} button={texts.rename.button} etag={label.etag}>
              <Field
                name="name"
                label={texts.name}
                hint={texts.rename.hint}
                value={typed}
                error={explainField(problem, 'name')}
                required
                maxlength={200}
              />
            </PostForm>
            <h2>{texts.remove.title}</h2>
            <p>
              <a class="button second" href={`${toLabelAddress(label.id)}/remove`}>
                {texts.remove.button}
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
}: { readonly label: ShownLabel } & Awaited<ReturnType<typeof readUses>>) => {
  const texts = readTexts().labels.uses
  const shown = days.map(readTexts().numbers.day)
  return (
    <>
      <h2>{texts.title}</h2>
      <DailyChart
        id="uses"
        title={texts.chart(label.name)}
        description={texts.description(uses.total, shown[0] ?? '', shown.at(-1) ?? '')}
        days={shown}
        series={[{ name: texts.series, values: sumByDay(days, uses.days) }]}
      />
      <p>
        {texts.total(uses.total, (words) => (
          <a href={createHref('use', { label: label.id, from: days[0] })}>{words}</a>
        ))}
      </p>
    </>
  )
}

const KeyActs = ({ label: { id, keyState } }: { readonly label: ShownLabel }) => {
  const { apiKey, replaceKey, revokeKey } = readTexts().labels
  return (
    <>
      <h2>{apiKey}</h2>
      <p class="actions">
        <a class="button" href={`${toLabelAddress(id)}/rotate`}>
          {keyState === 'active' ? replaceKey.button : replaceKey.newLink}
        </a>
        {keyState === 'active' && (
          <a class="button second" href={`${toLabelAddress(id)}/revoke`}>
            {revokeKey.button}
          </a>
        )}
      </p>
    </>
  )
}

function toFacts(label: ShownLabel, organization: string) {
  const texts = readTexts().labels
  return {
    [texts.id]: <code>{label.id}</code>,
    [texts.organization]: (
      <a href={`organizations/${encodeURIComponent(label.orgId)}`}>{organization}</a>
    ),
    [texts.apiKey]: <KeyState label={label} />,
    [texts.keyLastUsed]: describeKeyUse(label),
    ...(label.replacedKeyUntil !== undefined && {
      [texts.replacedKey]: texts.worksUntil(<Time at={label.replacedKeyUntil} />),
    }),
    [readTexts().frame.added]: <Time at={label.createdAt} />,
  }
}
