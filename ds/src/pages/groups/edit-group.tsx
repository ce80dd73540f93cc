/** The form of a group: of a new one, and of one that is changed. */
import { Platform, putGroup } from '@cardwire/protocol'
import type { Random } from '../../ports.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, requireRole, toPageStatus } from '../frame/change.tsx'
import { confirmReach } from '../frame/confirm-reach.tsx'
import { showDone } from '../frame/done.tsx'
import { describe, Field, HiddenFields, ProblemNote } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { isEditedFurther, PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import {
  findGroup,
  groupsHome,
  type ShownGroup,
  toGroupAddress,
  toGroupsTrail,
  toTrail,
} from './group-data.ts'
import {
  listSystems,
  nameSystemBoxes,
  padRows,
  type RuleRow,
  readRows,
  ruleFields,
  toRows,
  toRules,
} from './rule-rows.ts'

const here = 'groups/new'

interface Typed {
  readonly name: string
  readonly priority: string
  readonly rows: readonly RuleRow[]
}

/** Which group it is. */
interface Target {
  readonly id: string
  /** Where there is one already. */
  readonly stored?: ShownGroup
}

export function addGroupForms(pages: PageApp, { random }: { readonly random: Random }): void {
  pages.get('/groups/new', requireRole(putGroup), (context) =>
    showForm(context, { id: random.uuid() }, { name: '', priority: '0', rows: [] }),
  )

  pages.post('/groups/new', async (context) => {
    const form = await readForm(context)
    return save(context, { id: form.text('id') }, form)
  })

  pages.get('/groups/:id/edit', requireRole(putGroup), async (context) => {
    const stored = await findGroup(context)
    const { name, priority, rules } = stored
    const typed = { name, priority: String(priority), rows: toRows(rules) }
    return showForm(context, { id: stored.id, stored }, typed)
  })

  pages.post('/groups/:id/edit', async (context) => {
    const stored = await findGroup(context)
    return save(context, { id: stored.id, stored }, await readForm(context))
  })
}

const toAddress = ({ id, stored }: Target) => (stored ? `${toGroupAddress(id)}/edit` : here)

async function save(context: PageContext, target: Target, form: Form): Promise<Response> {
  const typed = { name: form.text('name'), priority: form.text('priority'), rows: readRows(form) }
  const { id, stored } = target
  if (isEditedFurther(form)) return showForm(context, target, typed)
  const { name, priority, rows } = typed
  const body = { name, priority: Number(priority), rules: toRules(rows) }
  const parts = { params: { id }, query: { maxReach: form.text('maxReach') || '0' }, body }
  const condition = { ifMatch: stored && form.text('etag') }
  const saved = await attempt(context.var.api.call(putGroup, parts, condition))
  if (!(saved instanceof ApiProblem))
    return showDone(context, toGroupAddress(id), target.stored ? putGroup : { name: 'addGroup' })
  if (saved.problem !== 'reach-exceeded') return showForm(context, target, typed, saved)
  const texts = readTexts().groups.form
  return confirmReach(context, form, saved, {
    title: texts.confirmTitle(name),
    trail: stored ? toTrail(stored) : toGroupsTrail(),
    operation: putGroup,
    to: toAddress(target),
    button: texts.button,
    isDangerous: false,
    describe: texts.reach,
    wayBack: texts.wayBack,
    target,
    fields: [
      ...Object.entries({ name, priority }),
      ...rows.flatMap((row) => ruleFields.map((field) => [field, row[field]] as const)),
    ],
  })
}

function showForm(
  context: PageContext,
  target: Target,
  { name, priority, rows }: Typed,
  problem?: ApiProblem,
): Promise<Response> {
  const texts = readTexts().groups.form
  const { id, stored } = target
  return showPage(context, {
    title: stored ? texts.editTitle(stored.name) : texts.newTitle,
    trail: stored ? toTrail(stored) : toGroupsTrail(),
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={['name', 'priority', 'rules', ...listPaths(rows)]} />
        <PostForm
          to={toAddress(target)}
          button={texts.button}
          cancel={stored ? toGroupAddress(id) : groupsHome}
          etag={stored?.etag}
        >
          {!stored && <HiddenFields values={[['id', id]]} />}
          <Field
            name="name"
            label={texts.name}
            value={name}
            maxlength={100}
            required
            error={explainField(problem, 'name', ['group-taken', 'group-limit'])}
          />
          {padRows(rows).map((row, at) => (
            <RuleFields row={row} at={at} problem={problem} />
          ))}
          <Field
            name="priority"
            label={texts.priority}
            hint={texts.priorityHint}
            type="number"
            value={priority}
            error={explainField(problem, 'priority')}
          />
        </PostForm>
      </>
    ),
  })
}

/** Those in which the operation says that something is wrong. */
const listPaths = (rows: readonly RuleRow[]) =>
  rows.flatMap((_, at) => [`rules[${at}]`, ...ruleFields.map((field) => `rules[${at}].${field}`)])

/** That of one of its values, where the operation names that. */
const findPath = (problem: ApiProblem | undefined, field: string): string =>
  problem?.errors.find(({ path }) => path === field || path.startsWith(`${field}[`))?.path ?? field

const RuleFields = ({
  row,
  at,
  problem,
}: {
  readonly row: RuleRow
  readonly at: number
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().groups.form
  const error =
    explainField(problem, `rules[${at}]`) ??
    (at === 0 && explainField(problem, 'rules', ['group-untrusted']))
  return (
    <fieldset {...describe(`rule-${at}`, texts.ruleHint, error || undefined)}>
      <legend>{texts.rule(at + 1)}</legend>
      <p class="hint" id={`rule-${at}-hint`}>
        {texts.ruleHint}
      </p>
      {error && (
        <p class="error" id={`rule-${at}-error`}>
          {error}
        </p>
      )}
      {ruleFields.map((field) => {
        const fault = explainField(problem, findPath(problem, `rules[${at}].${field}`))
        return field === 'platforms' ? (
          <SystemBoxes at={at} chosen={listSystems(row)} error={fault} />
        ) : (
          <RuleFieldInput {...{ field, at }} value={row[field]} error={fault} />
        )
      })}
    </fieldset>
  )
}

const SystemBoxes = ({
  at,
  chosen,
  error,
}: {
  readonly at: number
  readonly chosen: readonly Platform[]
  readonly error: ReturnType<typeof explainField>
}) => {
  const { groups, systems } = readTexts()
  const { label, hint } = groups.form.fields.platforms
  const name = nameSystemBoxes(at)
  return (
    <fieldset {...describe(name, hint, error)}>
      <legend>{label}</legend>
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {Platform.options.map((system) => (
        <div class="choice">
          <input
            type="checkbox"
            id={`${name}-${system}`}
            name={name}
            value={system}
            checked={chosen.includes(system)}
          />
          <label for={`${name}-${system}`}>{systems[system]}</label>
        </div>
      ))}
    </fieldset>
  )
}

const RuleFieldInput = ({
  field,
  at,
  value,
  error,
}: {
  readonly field: Exclude<(typeof ruleFields)[number], 'platforms'>
  readonly at: number
  readonly value: string
  readonly error: ReturnType<typeof explainField>
}) => {
  const { label, hint } = readTexts().groups.form.fields[field]
  const id = `${field}-${at}`
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <input
        type="text"
        id={id}
        name={field}
        value={value}
        autocomplete="off"
        spellcheck={false}
        {...describe(id, hint, error)}
      />
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
