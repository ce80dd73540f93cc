/** The rollouts, newest first. */
import {
  changeRollout,
  getRollout,
  listRollouts,
  putRollout,
  type Rollout,
} from '@cardwire/protocol'
import { DocumentLinks } from '../documents/document-links.tsx'
import { mayCall } from '../frame/change.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { PagedList } from '../frame/paged-list.tsx'
import { formatCount, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { readGroupNames } from '../groups/group-names.ts'
import { describeShare, isOffering, rolloutsHome, toRolloutAddress } from './rollout-data.ts'
import { StopLink } from './stop-link.tsx'

export function addRollouts(pages: PageApp): void {
  pages.get('/rollouts', async (context) => {
    const { page } = context.req.query()
    const { data } = await context.var.api.call(listRollouts, { query: { page } })
    const nameGroup = await readGroupNames(context)
    const { columns, ...texts } = readTexts().rollouts.list
    return showPage(context, {
      title: readTexts().rollouts.title,
      children: (
        <PagedList
          to={rolloutsHome}
          texts={texts}
          data={data}
          head={[
            columns.version,
            columns.state,
            columns.share,
            columns.reached,
            columns.updated,
            ...(mayCall(context, changeRollout) ? [columns.actions] : []),
          ]}
          numbers={[2, 3]}
          rows={await Promise.all(data.items.map((rollout) => toRow(context, rollout, nameGroup)))}
        >
          <DocumentLinks to={['startRollout', 'haltRollout']} />
          {mayCall(context, putRollout) && (
            <p class="actions">
              <a class="button" href="rollouts/new">
                {texts.newLink}
              </a>
              <StopLink context={context} />
            </p>
          )}
        </PagedList>
      ),
    })
  })
}

async function toRow(
  context: PageContext,
  rollout: Rollout,
  nameGroup: Awaited<ReturnType<typeof readGroupNames>>,
) {
  const { id, version, updatedAt } = rollout
  return [
    <a href={toRolloutAddress(id)}>{version}</a>,
    <StateTag rollout={rollout} />,
    describeShare(rollout, nameGroup),
    await countReached(context, rollout),
    <Time at={updatedAt} />,
    ...(mayCall(context, changeRollout) ? [<HaltLink rollout={rollout} />] : []),
  ]
}

/** Of those that still change: to count devices takes a statement. */
async function countReached({ var: { api } }: PageContext, rollout: Rollout) {
  if (!isOffering(rollout)) return ''
  const { data } = await api.call(getRollout, { params: { id: rollout.id } })
  return formatCount(data.evidence.reached.devices)
}

/** One click from the page where it halts. */
export const HaltLink = ({ rollout }: { readonly rollout: Rollout }) => {
  if (!isOffering(rollout)) return null
  return (
    <a href={`${toRolloutAddress(rollout.id)}/halt`}>
      {readTexts().rollouts.acts.halt.link}
      <span class="unseen"> {rollout.version}</span>
    </a>
  )
}

const stateClasses = {
  draft: 'tag',
  running: 'tag good',
  paused: 'tag',
  halted: 'tag bad',
  finished: 'tag good',
} as const

export const StateTag = ({ rollout: { state } }: { readonly rollout: Pick<Rollout, 'state'> }) => (
  <span class={stateClasses[state]}>{readTexts().rollouts.states[state]}</span>
)
