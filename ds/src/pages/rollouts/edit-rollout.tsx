/** The form of a rollout: of a new one, and of one that has not started. */
import { listVersions, putRollout, putVersion, type RolloutInput } from '@cardwire/protocol'
import { compare } from 'semver'
import type { Random } from '../../ports.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, mayCall, requireRole, toPageStatus } from '../frame/change.tsx'
import { confirmReach } from '../frame/confirm-reach.tsx'
import { showDone } from '../frame/done.tsx'
import { describe, Field, HiddenFields, ProblemNote, Select } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { type PageContent, showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Empty, Table } from '../frame/parts.tsx'
import { isEditedFurther, PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import { readAllGroups, toGroupOptions } from '../groups/group-names.ts'
import {
  findRollout,
  listOpenRollouts,
  rolloutsHome,
  type ShownRollout,
  toRolloutAddress,
  toRolloutsTrail,
  toTrail,
} from './rollout-data.ts'
import { defaultRows, padRows, readRows, type StageRow, toRows, toStages } from './stage-rows.ts'

const here = 'rollouts/new'

interface Typed {
  readonly version: string
  readonly flag: string
  readonly rows: readonly StageRow[]
  readonly goodRate: string
  readonly badRate: string
}

/** Which rollout it is. */
interface Target {
  readonly id: string
  /** Where there is one already. */
  readonly stored?: ShownRollout
}

export function addRolloutForms(pages: PageApp, { random }: { readonly random: Random }): void {
  pages.get('/rollouts/new', requireRole(putRollout), (context) => {
    const rates = { goodRate: '1', badRate: '4' }
    const typed = { version: '', flag: 'recommended', rows: defaultRows, ...rates }
    return showForm(context, { id: random.uuid() }, typed)
  })

  pages.post('/rollouts/new', async (context) => {
    const form = await readForm(context)
    return save(context, { id: form.text('id') }, form)
  })

  pages.get('/rollouts/:id/edit', requireRole(putRollout), async (context) => {
    const stored = await findRollout(context)
    return showForm(context, { id: stored.id, stored }, toTyped(stored))
  })

  pages.post('/rollouts/:id/edit', async (context) => {
    const stored = await findRollout(context)
    return save(context, { id: stored.id, stored }, await readForm(context))
  })
}

const toAddress = ({ id, stored }: Target) => (stored ? `${toRolloutAddress(id)}/edit` : here)

async function save(context: PageContext, target: Target, form: Form): Promise<Response> {
  const typed = readTyped(form)
  const { id, stored } = target
  if (isEditedFurther(form)) return showForm(context, target, typed)
  const query = { maxReach: form.text('maxReach') || '0' }
  const condition = { ifMatch: stored && form.text('etag') }
  const parts = { params: { id }, query, body: toBody(typed) }
  const saved = await attempt(context.var.api.call(putRollout, parts, condition))
  if (!(saved instanceof ApiProblem))
    return showDone(context, toRolloutAddress(id), stored ? putRollout : { name: 'addRollout' })
  if (saved.problem !== 'reach-exceeded') return showForm(context, target, typed, saved)
  const texts = readTexts().rollouts
  return confirmReach(context, form, saved, {
    title: texts.form.confirmTitle(typed.version),
    trail: stored ? toTrail(stored) : toRolloutsTrail(),
    operation: putRollout,
    to: toAddress(target),
    button: texts.form.button,
    // Devices that would update to the version now have to wait.
    describe: texts.reach.held,
    wayBack: texts.form.wayBack,
    target,
    fields: toFields(typed),
  })
}

const readTyped = (form: Form): Typed => ({
  version: form.text('version'),
  flag: form.text('flag'),
  rows: readRows(form),
  goodRate: form.text('goodRate'),
  badRate: form.text('badRate'),
})

const toFields = ({ version, flag, rows, goodRate, badRate }: Typed) => [
  ...Object.entries({ version, flag, goodRate, badRate }),
  ...rows.flatMap((row) =>
    (['share', 'hold', 'group'] as const).map((name) => [name, row[name]] as const),
  ),
]

const toTyped = ({ version, flag, stages, goodRate, badRate }: ShownRollout): Typed => ({
  version,
  flag,
  rows: toRows(stages),
  goodRate: String(goodRate),
  badRate: String(badRate),
})

const toBody = ({ version, flag, rows, goodRate, badRate }: Typed): RolloutInput => ({
  version,
  // The operation refuses what is none.
  flag: flag as RolloutInput['flag'],
  stages: toStages(rows),
  goodRate: Number(goodRate),
  badRate: Number(badRate),
})

/** The versions that can be rolled out, latest first: devices could update to them, and nothing tells them to. */
async function listSuitable(context: PageContext, own: string | undefined) {
  const { data } = await context.var.api.call(listVersions, { query: { size: '100' } })
  const taken = (await listOpenRollouts(context)).map(({ version }) => version)
  return data.items
    .filter(
      ({ id, allowed, recommended, mandatory }) =>
        id === own ||
        (allowed &&
          !recommended &&
          !mandatory &&
          !taken.includes(id) &&
          data.items.some((other) => compare(other.id, id) < 0) &&
          // Devices would update to that one.
          !data.items.some(
            (other) =>
              other.allowed && (other.recommended || other.mandatory) && compare(other.id, id) > 0,
          )),
    )
    .map(({ id }) => id)
}

async function showForm(
  context: PageContext,
  target: Target,
  typed: Typed,
  problem?: ApiProblem,
): Promise<Response> {
  const { id, stored } = target
  const texts = readTexts().rollouts.form
  const title = stored ? texts.editTitle(stored.version) : texts.newTitle
  const trail = stored ? toTrail(stored) : toRolloutsTrail()
  if (stored && stored.state !== 'draft')
    return showPage(context, {
      ...{ title, trail },
      status: toPageStatus(problem),
      children: <p>{readTexts().problems['rollout-started']}</p>,
    })
  const suitable = await listSuitable(context, stored?.version)
  // One that was refused stays chosen: another in its place could be saved by mistake.
  const isRefused = problem !== undefined && !suitable.includes(typed.version)
  const versions = isRefused ? [typed.version, ...suitable] : suitable
  if (versions.length === 0) return showWithoutVersion(context, { title, trail })
  return showPage(context, {
    ...{ title, trail },
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote
          problem={problem}
          fields={['version', 'flag', 'stages', 'goodRate', 'badRate', ...listPaths(typed.rows)]}
        />
        <PostForm
          to={toAddress(target)}
          button={texts.button}
          cancel={stored ? toRolloutAddress(id) : rolloutsHome}
          etag={stored?.etag}
        >
          {!stored && <HiddenFields values={[['id', id]]} />}
          <Select
            name="version"
            label={texts.version}
            hint={texts.versionHint}
            value={typed.version}
            options={versions.map((version) => ({ value: version, text: version }))}
            error={explainField(problem, 'version', [
              'version-unsuitable',
              'version-unknown',
              'rollout-taken',
            ])}
          />
          <Select
            name="flag"
            label={texts.flag}
            value={typed.flag}
            options={(['recommended', 'mandatory'] as const).map((flag) => ({
              value: flag,
              text: texts.flags[flag],
            }))}
            error={explainField(problem, 'flag')}
          />
          <StageFields rows={typed.rows} groups={await readAllGroups(context)} problem={problem} />
          <RateFields typed={typed} problem={problem} />
          <p class="soft">{texts.next}</p>
        </PostForm>
      </>
    ),
  })
}

const showWithoutVersion = (context: PageContext, page: PageContent) =>
  showPage(context, {
    ...page,
    children: (
      <Empty>
        <p>{readTexts().rollouts.form.noVersion}</p>
        {mayCall(context, putVersion) && (
          <p>
            <a class="button" href="versions/new">
              {readTexts().versions.registerLink}
            </a>
          </p>
        )}
      </Empty>
    ),
  })

const toPath = (at: number, field: 'share' | 'holdS' | 'group') => `stages[${at}].${field}`

const listPaths = (rows: readonly StageRow[]) =>
  rows.flatMap((_, at) => (['share', 'holdS', 'group'] as const).map((field) => toPath(at, field)))

const StageFields = ({
  rows,
  groups,
  problem,
}: {
  readonly rows: readonly StageRow[]
  readonly groups: Awaited<ReturnType<typeof readAllGroups>>
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().rollouts.form.stages
  const error = explainField(problem, 'stages', ['group-unknown'])
  const hint = groups.length > 0 ? `${texts.hint} ${texts.groupHint}` : texts.hint
  return (
    <fieldset {...describe('stages', hint, error)}>
      <legend>{texts.legend}</legend>
      <p class="hint" id="stages-hint">
        {hint}
      </p>
      {error !== undefined && (
        <div class="field">
          <p class="error" id="stages-error">
            {error}
          </p>
        </div>
      )}
      <Table
        caption={texts.caption}
        head={[texts.stage, ...(groups.length > 0 ? [texts.devices] : []), texts.share, texts.hold]}
        rows={padRows(rows).map(({ share, hold, group }, at) => [
          readTexts().numbers.format(at + 1),
          ...(groups.length > 0
            ? [
                <GroupSelect
                  id={`group-${at}`}
                  label={texts.devicesOf(at + 1)}
                  value={group}
                  groups={groups}
                  error={explainField(problem, toPath(at, 'group'))}
                />,
              ]
            : []),
          <NumberField
            name="share"
            id={`share-${at}`}
            label={texts.shareOf(at + 1)}
            value={share}
            max={100}
            error={explainField(problem, toPath(at, 'share'))}
          />,
          <NumberField
            name="hold"
            id={`hold-${at}`}
            label={texts.holdOf(at + 1)}
            value={hold}
            error={explainField(problem, toPath(at, 'holdS'))}
          />,
        ])}
      />
    </fieldset>
  )
}

/** In a table, as the fields of numbers. */
const GroupSelect = ({
  id,
  label,
  value,
  groups,
  error,
}: {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly groups: Awaited<ReturnType<typeof readAllGroups>>
  readonly error: ReturnType<typeof explainField>
}) => (
  <div class="field">
    <select id={id} name="group" aria-label={label} {...describe(id, undefined, error)}>
      {toGroupOptions(groups).map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
    {error !== undefined && (
      <p class="error" id={`${id}-error`}>
        {error}
      </p>
    )}
  </div>
)

/** In a table, whose headings label it for those who see them. */
const NumberField = ({
  name,
  id,
  label,
  value,
  max,
  error,
}: {
  readonly name: string
  readonly id: string
  readonly label: string
  readonly value: string
  readonly max?: number
  readonly error: ReturnType<typeof explainField>
}) => (
  <div class="field">
    <input
      type="number"
      step="any"
      min="0"
      max={max}
      autocomplete="off"
      aria-label={label}
      {...{ id, name, value }}
      {...describe(id, undefined, error)}
    />
    {error !== undefined && (
      <p class="error" id={`${id}-error`}>
        {error}
      </p>
    )}
  </div>
)

const RateFields = ({
  typed: { goodRate, badRate },
  problem,
}: {
  readonly typed: Typed
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().rollouts.form.rates
  const errors = {
    good: explainField(problem, 'goodRate'),
    bad: explainField(problem, 'badRate'),
  }
  return (
    <details open={errors.good !== undefined || errors.bad !== undefined}>
      <summary>{texts.summary}</summary>
      <p>{texts.about}</p>
      <Field
        name="goodRate"
        label={texts.good}
        hint={texts.goodHint}
        value={goodRate}
        error={errors.good}
      />
      <Field
        name="badRate"
        label={texts.bad}
        hint={texts.badHint}
        value={badRate}
        error={errors.bad}
      />
    </details>
  )
}
