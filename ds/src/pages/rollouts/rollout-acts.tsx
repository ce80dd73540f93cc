/** What an administrator does with a rollout: each says first what it does, and to how many devices. */
import {
  changeRollout,
  deleteRollout,
  getRolloutReach,
  type Rollout,
  type RolloutChange,
} from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongNumber, requireRole, showConfirmation } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { Checkbox, HiddenFields } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { formatCount } from '../frame/parts.tsx'
import type { ReviewState } from '../frame/reviewed-change.ts'
import { readTexts } from '../frame/texts.ts'
import { readGroupName } from '../groups/group-names.ts'
import {
  findRollout,
  isRemovable,
  rolloutsHome,
  type ShownRollout,
  toRolloutAddress,
  toTrail,
} from './rollout-data.ts'

interface Act {
  readonly name: 'start' | 'resume' | 'pause' | 'halt' | 'finish'
  readonly to: RolloutChange
  /** The states in which it can be done. */
  readonly from: readonly Rollout['state'][]
  /** Whether devices get something by it that they do not get now: only what was shown is done then. */
  readonly isReviewed: boolean
  /** What the next page says. */
  readonly done: Parameters<typeof showDone>[2]
}

const acts: readonly Act[] = [
  {
    name: 'start',
    to: 'running',
    from: ['draft'],
    isReviewed: true,
    done: { name: 'startRollout' },
  },
  {
    name: 'resume',
    to: 'running',
    from: ['paused', 'halted'],
    isReviewed: true,
    done: { name: 'resumeRollout' },
  },
  {
    name: 'halt',
    to: 'halted',
    from: ['running', 'paused'],
    isReviewed: false,
    done: { name: 'haltRollout' },
  },
  {
    name: 'pause',
    to: 'paused',
    from: ['running'],
    isReviewed: false,
    done: { name: 'pauseRollout' },
  },
  {
    name: 'finish',
    to: 'finished',
    from: ['running', 'paused'],
    isReviewed: true,
    done: { name: 'finishRollout' },
  },
]

/** Those that are possible, the nearest first. */
export const listActsFor = ({ state }: Rollout): readonly Act[] =>
  acts.filter(({ from }) => from.includes(state))

export function addRolloutActs(pages: PageApp): void {
  for (const act of acts) {
    const path = `/rollouts/:id/${act.name}` as const

    pages.get(path, async (context) => ask(context, act, await findRollout(context)))

    pages.post(path, requireRole(changeRollout), async (context) => {
      const rollout = await findRollout(context)
      const form = await readForm(context)
      const typed = form.has('confirm') ? findWrongNumber(form, form.text('maxReach')) : undefined
      if (typed !== undefined) return ask(context, act, rollout, { typed })
      // A form that was sent twice.
      if (rollout.state === act.to) return showDone(context, toRolloutAddress(rollout.id), act.done)
      const changed = await attempt(change(context, act, rollout, form))
      return changed instanceof ApiProblem
        ? ask(context, act, await findRollout(context), { problem: changed })
        : showDone(context, toRolloutAddress(rollout.id), act.done)
    })
  }
  addRemoval(pages)
}

const change = (
  { var: { api } }: PageContext,
  { to, isReviewed }: Act,
  { id }: ShownRollout,
  form: Form,
) =>
  api.call(
    changeRollout,
    {
      params: { id },
      query: {
        maxReach: form.text('maxReach') || '0',
        force: form.has('force') ? 'true' : undefined,
      },
      body: { state: to },
    },
    // To halt or to pause is right whatever the rollout has become.
    isReviewed ? { ifMatch: form.text('etag') } : {},
  )

async function ask(
  context: PageContext,
  { name, to, from, isReviewed }: Act,
  rollout: ShownRollout,
  state: ReviewState = {},
): Promise<Response> {
  const { id, version, etag = '' } = rollout
  const texts = readTexts().rollouts
  const { title, button, wayBack } = texts.acts[name]
  const page = {
    title: title(version),
    trail: toTrail(rollout),
    operation: changeRollout,
    to: `${toRolloutAddress(id)}/${name}`,
    button,
    wayBack: { sentence: wayBack },
    isDangerous: name !== 'pause',
    problem: state.problem,
  }
  if (!from.includes(rollout.state))
    return showConfirmation(context, {
      ...page,
      children: <p>{texts.acts.notPossible(texts.states[rollout.state])}</p>,
      isRefused: true,
    })
  if (!isReviewed)
    return showConfirmation(context, {
      ...page,
      children: <Effects name={name} rollout={rollout} />,
    })
  const { data } = await context.var.api.call(getRolloutReach, {
    params: { id },
    query: { state: to },
  })
  const { reach, first, isLarge } = data
  return showConfirmation(context, {
    ...page,
    typed: state.typed,
    ...(isLarge && { name: formatCount(reach), isNumber: true }),
    children: (
      <>
        <div class={reach > 0 ? 'warning' : 'note'}>
          <p>
            <strong>
              {to === 'finished' ? texts.reach.all(reach) : texts.reach.stages(reach)}
            </strong>
            {to === 'running' && reach > 0 && <> {await describeFirst(context, rollout, first)}</>}
          </p>
        </div>
        <Effects name={name} rollout={rollout} />
      </>
    ),
    fields: (
      <>
        <HiddenFields values={Object.entries({ etag, maxReach: String(reach) })} />
        {mayForce(state.problem) && <Checkbox name="force" label={texts.acts.force} />}
      </>
    ),
  })
}

/** What keeps devices from working with the version, and can be meant. */
const mayForce = (problem: ApiProblem | undefined): boolean =>
  problem?.problem === 'installers-missing' || problem?.problem === 'allowlist-missing'

async function describeFirst(context: PageContext, { stages, stage }: Rollout, first: number) {
  const { numbers, rollouts } = readTexts()
  const { share = 0, group } = stages[stage] ?? {}
  const name = await readGroupName(context, group)
  const percent = numbers.percent(share)
  return rollouts.reach.first(first, name === undefined ? percent : `${percent}, ${name}`)
}

const Effects = ({ name, rollout }: { readonly name: Act['name']; readonly rollout: Rollout }) => {
  const { acts: texts, effects } = readTexts().rollouts
  return (
    <ul>
      {(name === 'start' || name === 'resume' || name === 'finish') && (
        <li>{effects[rollout.flag](rollout.version)}</li>
      )}
      {texts[name].effects.map((effect) => (
        <li>{effect}</li>
      ))}
      {name === 'resume' && rollout.state === 'halted' && <li>{texts.startsOver}</li>}
    </ul>
  )
}

/** Of one that no device is offered. */
function addRemoval(pages: PageApp): void {
  pages.get('/rollouts/:id/remove', async (context) =>
    askRemoval(context, await findRollout(context)),
  )

  pages.post('/rollouts/:id/remove', requireRole(deleteRollout), async (context) => {
    const rollout = await findRollout(context)
    const form = await readForm(context)
    const condition = { ifMatch: form.text('etag') }
    const maxReach = form.text('maxReach') || '0'
    const removed = await attempt(
      context.var.api.call(
        deleteRollout,
        { params: { id: rollout.id }, query: { maxReach } },
        condition,
      ),
    )
    if (!(removed instanceof ApiProblem)) return showDone(context, rolloutsHome, deleteRollout)
    const { reach = 0 } = removed
    // The number that is shown now, where none was before.
    const problem = removed.problem === 'reach-exceeded' && maxReach === '0' ? undefined : removed
    return askRemoval(context, await findRollout(context), { ...(problem && { problem }), reach })
  })
}

async function askRemoval(
  context: PageContext,
  rollout: ShownRollout,
  { problem, reach = 0 }: { readonly problem?: ApiProblem; readonly reach?: number } = {},
) {
  const { id, version, state, etag = '' } = rollout
  const { remove: texts, acts: words, reach: reaches, states } = readTexts().rollouts
  return showConfirmation(context, {
    title: texts.title(version),
    trail: toTrail(rollout),
    operation: deleteRollout,
    to: `${toRolloutAddress(id)}/remove`,
    button: texts.button,
    wayBack: { sentence: texts.wayBack },
    problem,
    children: !isRemovable(rollout) ? (
      <p>{words.notPossible(states[state])}</p>
    ) : (
      <>
        <p>
          {texts.about} {state === 'halted' && texts.results}
        </p>
        {reach > 0 && (
          <div class="warning">
            <p>
              <strong>{reaches.released(reach)}</strong>
            </p>
          </div>
        )}
      </>
    ),
    isRefused: !isRemovable(rollout),
    fields: <HiddenFields values={Object.entries({ etag, maxReach: String(reach) })} />,
  })
}
