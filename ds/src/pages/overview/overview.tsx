/** The first screen: what there is, and what an administrator has to look at. */
import {
  changeRollout,
  type DeviceSummary,
  listApprovals,
  listRefusals,
  type RefusedRegistration,
  type Rollout,
  summarizeDevices,
} from '@cardwire/protocol'
import type { FilesState } from '../../packages/registered-files.ts'
import type { Services } from '../../services.ts'
import { approvalsHome } from '../approvals/approvals.tsx'
import { mayCall } from '../frame/change.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Empty, formatCount, Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { readGroupNames } from '../groups/group-names.ts'
import { explainRefusal } from '../refusals/refusal-words.ts'
import {
  describeShare,
  getGroup,
  getShare,
  listOpenRollouts,
  toRolloutAddress,
} from '../rollouts/rollout-data.ts'
import { HaltLink, StateTag } from '../rollouts/rollouts.tsx'
import { StopLink } from '../rollouts/stop-link.tsx'
import { type Expiring, ExpiringKeystores, listExpiring } from './expiring-keystores.tsx'
import { FleetChart } from './fleet-chart.tsx'

export function addOverview(pages: PageApp, { checkFiles }: Pick<Services, 'checkFiles'>): void {
  pages.get('/', async (context) => {
    const { api } = context.var
    const { data } = await api.call(summarizeDevices, { query: {} })
    const refused = await api.call(listRefusals, { query: { size: '3' } })
    const keystores = await listExpiring(context, data)
    const approvals = (await api.call(listApprovals, { query: {} })).data.items.length
    return showPage(context, {
      title: readTexts().overview.title,
      children: (
        <>
          {data.devices === 0 ? <FirstSteps /> : <Figures summary={data} />}
          <ToDo
            summary={data}
            refused={refused.data.total}
            keystores={keystores}
            approvals={approvals}
            files={await checkFiles()}
          />
          <Rollouts
            context={context}
            rollouts={await listOpenRollouts(context)}
            nameGroup={await readGroupNames(context)}
          />
          {data.devices > 0 && (
            <p class="actions">
              <StopLink context={context} />
            </p>
          )}
          <Refused refusals={refused.data.items} total={refused.data.total} />
          {data.devices > 0 && <FleetChart summary={data} />}
          <p class="soft">{readTexts().overview.updatedAt(<Time at={data.at} />)}</p>
        </>
      ),
    })
  })
}

const FirstSteps = () => (
  <Empty>
    <p>
      {readTexts().overview.firstSteps((words) => (
        <a href="first-use">{words}</a>
      ))}
    </p>
    <p>
      {readTexts().overview.whereItAppears(
        (words) => (
          <a href="devices">{words}</a>
        ),
        (words) => (
          <a href="refusals">{words}</a>
        ),
      )}
    </p>
  </Empty>
)

const Figures = ({ summary }: { readonly summary: DeviceSummary }) => {
  const texts = readTexts().overview.figures
  const figures = [
    { to: 'devices', name: texts.devices(summary.devices), count: summary.devices },
    { to: 'devices?fault=any', name: texts.faulty(summary.faulty), count: summary.faulty },
    { to: 'devices?standing=silent', name: texts.silent(summary.silent), count: summary.silent },
    ...(summary.unserved > 0
      ? [
          {
            to: 'devices?standing=unserved',
            name: texts.unserved(summary.unserved),
            count: summary.unserved,
          },
        ]
      : []),
    {
      to: 'devices?standing=waiting',
      name: texts.waiting(summary.waiting),
      count: summary.waiting,
    },
    {
      to: 'devices?standing=blocked',
      name: texts.blocked(summary.blocked),
      count: summary.blocked,
    },
  ]
  return (
    <ul class="figures">
      {figures.map(({ to, name, count }) => (
        <li>
          <a href={to}>
            <strong>{formatCount(count)}</strong> {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

const ToDo = ({
  summary: { devices, unserved, waiting, faulty, silent, withoutInstaller },
  refused,
  keystores,
  approvals,
  files,
}: {
  readonly summary: DeviceSummary
  readonly refused: number
  readonly keystores: Expiring
  readonly approvals: number
  readonly files: FilesState
}) => {
  const texts = readTexts().overview
  const items = [
    { to: approvalsHome, count: approvals, text: readTexts().approvals.next },
    { to: 'versions', count: withoutInstaller, text: texts.next.withoutInstaller },
    { to: 'devices?standing=unserved', count: unserved, text: texts.next.unserved },
    { to: 'devices?standing=waiting', count: waiting, text: texts.next.approve },
    { to: 'devices?fault=any', count: faulty, text: texts.next.faulty },
    { to: 'refusals', count: refused, text: texts.next.refused },
    { to: 'devices?standing=silent', count: silent, text: texts.next.silent },
  ].filter(({ count }) => count > 0)
  if (items.length === 0 && keystores.total === 0 && files === 'readable') {
    return devices === 0 ? null : <p>{texts.allClear}</p>
  }
  return (
    <>
      <h2>{texts.nextTitle}</h2>
      <ul>
        {files !== 'readable' && <li>{texts.files[files]}</li>}
        {items.map(({ to, count, text }) => (
          <li>
            <a href={to}>{text}</a> ({formatCount(count)})
          </li>
        ))}
        <ExpiringKeystores {...keystores} />
      </ul>
    </>
  )
}

/** Those that have started: each can be halted from here. */
const Rollouts = ({
  context,
  rollouts,
  nameGroup,
}: {
  readonly context: PageContext
  readonly rollouts: readonly Rollout[]
  readonly nameGroup: Awaited<ReturnType<typeof readGroupNames>>
}) => {
  const started = rollouts.filter(({ state }) => state !== 'draft')
  if (started.length === 0) return null
  const texts = readTexts()
  return (
    <>
      <h2>{texts.rollouts.title}</h2>
      <ul>
        {started.map((rollout) => (
          <li>
            <a href={toRolloutAddress(rollout.id)}>{texts.rollouts.page.title(rollout.version)}</a>{' '}
            <StateTag rollout={rollout} />{' '}
            {rollout.state !== 'halted' && (
              <>
                {getGroup(rollout) === undefined
                  ? texts.overview.rolloutShare(texts.numbers.percent(getShare(rollout)))
                  : describeShare(rollout, nameGroup)}{' '}
              </>
            )}
            {mayCall(context, changeRollout) && <HaltLink rollout={rollout} />}
          </li>
        ))}
      </ul>
    </>
  )
}

const Refused = ({
  refusals,
  total,
}: {
  readonly refusals: readonly RefusedRegistration[]
  readonly total: number
}) =>
  total === 0 ? null : (
    <>
      <h2>{readTexts().overview.refusedTitle}</h2>
      <ul>
        {refusals.map((refusal) => (
          <li>
            {readTexts().overview.refusal(
              <Time at={refusal.lastAt} />,
              refusal.hostname ?? refusal.address,
              explainRefusal(refusal).what,
            )}
          </li>
        ))}
      </ul>
      <p>
        <a href="refusals">{readTexts().overview.allRefused}</a>
      </p>
    </>
  )
