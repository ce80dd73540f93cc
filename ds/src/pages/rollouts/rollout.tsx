/** One rollout: its state, its stages, how its devices fare, and what can be done with it. */
import { changeRollout, getRolloutHours, type Rollout } from '@cardwire/protocol'
import { mayCall } from '../frame/change.tsx'
import { FactList, toTimes } from '../frame/facts.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { HistoryLink, Table, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { toGroupAddress } from '../groups/group-data.ts'
import { readGroupNames } from '../groups/group-names.ts'
import { toVersionAddress } from '../versions/version-data.ts'
import { CourseCharts } from './course.tsx'
import { Evidence } from './evidence.tsx'
import { HaltNote } from './halt-note.tsx'
import { listActsFor } from './rollout-acts.tsx'
import {
  findRollout,
  getGroup,
  getShare,
  isRemovable,
  toRolloutAddress,
  toRolloutsTrail,
} from './rollout-data.ts'
import { StateTag } from './rollouts.tsx'

export function addRollout(pages: PageApp): void {
  pages.get('/rollouts/:id', async (context) => {
    const rollout = await findRollout(context)
    const { id, version, flag, state } = rollout
    const course =
      state === 'draft'
        ? undefined
        : await context.var.api.call(getRolloutHours, { params: { id } })
    const texts = readTexts().rollouts
    const { numbers } = readTexts()
    const nameGroup = await readGroupNames(context)
    return showPage(context, {
      title: texts.page.title(version),
      trail: toRolloutsTrail(),
      children: (
        <>
          {state === 'halted' ? (
            <HaltNote rollout={rollout} />
          ) : (
            <p>
              <strong>{describeState(rollout, nameGroup(getGroup(rollout)))}</strong>
            </p>
          )}
          {mayCall(context, changeRollout) && <Acts rollout={rollout} />}
          <FactList
            facts={{
              [texts.page.state]: <StateTag rollout={rollout} />,
              [texts.page.version]: <a href={toVersionAddress(version)}>{version}</a>,
              [texts.form.flag]: texts.form.flags[flag],
              [texts.page.rates]: texts.page.ratesValue(
                numbers.percent(rollout.goodRate),
                numbers.percent(rollout.badRate),
              ),
              ...toTimes(rollout),
            }}
          />
          <Stages rollout={rollout} nameGroup={nameGroup} />
          {state !== 'draft' && <Evidence evidence={rollout.evidence} />}
          {course && <CourseCharts rollout={rollout} course={course.data} />}
          <HistoryLink kind="rollout" id={id} />
        </>
      ),
    })
  })
}

function describeState(rollout: Rollout, group: string | undefined): string {
  const { inWords, inGroup } = readTexts().rollouts
  const { state } = rollout
  const share = readTexts().numbers.percent(getShare(rollout))
  return group !== undefined && (state === 'running' || state === 'paused')
    ? inGroup[state](share, group)
    : inWords[state](share)
}

const Acts = ({ rollout }: { readonly rollout: Rollout }) => {
  const address = toRolloutAddress(rollout.id)
  const texts = readTexts().rollouts
  return (
    <div class="actions">
      {listActsFor(rollout).map(({ name }, at) => (
        <a class={at === 0 ? 'button' : 'button second'} href={`${address}/${name}`}>
          {texts.acts[name].button}
        </a>
      ))}
      {rollout.state === 'draft' && (
        <a class="button second" href={`${address}/edit`}>
          {texts.page.editLink}
        </a>
      )}
      {isRemovable(rollout) && (
        <a class="button second" href={`${address}/remove`}>
          {texts.remove.button}
        </a>
      )}
    </div>
  )
}

const Stages = ({
  rollout,
  nameGroup,
}: {
  readonly rollout: Rollout
  readonly nameGroup: Awaited<ReturnType<typeof readGroupNames>>
}) => {
  const hasGroups = rollout.stages.some(({ group }) => group !== undefined)
  const texts = readTexts().rollouts.stages
  const { numbers } = readTexts()
  const times = listStarts(rollout)
  return (
    <>
      <h2>{texts.title}</h2>
      <Table
        caption={texts.caption}
        head={[
          texts.stage,
          ...(hasGroups ? [texts.devices] : []),
          texts.share,
          texts.hold,
          texts.when,
        ]}
        numbers={[hasGroups ? 2 : 1]}
        rows={rollout.stages.map(({ share, holdS, group }, at) => [
          numbers.format(at + 1),
          ...(hasGroups
            ? [
                group === undefined ? (
                  readTexts().groups.allDevices
                ) : (
                  <a href={toGroupAddress(group)}>{nameGroup(group)}</a>
                ),
              ]
            : []),
          numbers.percent(share),
          numbers.duration(holdS),
          <When rollout={rollout} at={at} times={times} />,
        ])}
      />
      {rollout.state === 'running' && <p class="soft">{texts.about}</p>}
    </>
  )
}

/** When each stage begins, from the first one after the current one, and when the last one ends. ISO 8601, by its place. */
function listStarts({ stages, stage, stageAt }: Rollout): ReadonlyMap<number, string> {
  const starts = new Map<number, string>()
  if (stageAt === undefined) return starts
  let at = Date.parse(stageAt)
  for (const [offset, { holdS }] of stages.slice(stage).entries()) {
    at += holdS * 1000
    starts.set(stage + offset + 1, new Date(at).toISOString())
  }
  return starts
}

const When = ({
  rollout: { state, stage, stages },
  at,
  times,
}: {
  readonly rollout: Rollout
  readonly at: number
  readonly times: ReadonlyMap<number, string>
}) => {
  const texts = readTexts().rollouts.stages
  if (state === 'draft') return null
  if (at < stage || (state === 'finished' && at === stage)) return texts.done
  if (state === 'finished') return texts.skipped
  const isCurrent = at === stage
  const time = state === 'running' ? times.get(isCurrent ? at + 1 : at) : undefined
  return (
    <>
      {isCurrent && (
        <>
          <strong aria-current="step">{texts.current[state]}</strong>{' '}
        </>
      )}
      {time !== undefined &&
        (isCurrent
          ? (at === stages.length - 1 ? texts.finishes : texts.nextAt)(<Time at={time} />)
          : texts.startsAt(<Time at={time} />))}
    </>
  )
}
