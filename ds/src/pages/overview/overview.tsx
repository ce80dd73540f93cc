/** The first screen: what there is, and what an administrator has to look at. */
import {
  type DeviceSummary,
  listRefusals,
  type RefusedRegistration,
  summarizeDevices,
} from '@cardwire/client/protocol'
import { showPage } from '../frame/layout.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { Empty, formatCount, Time } from '../frame/parts.tsx'
import { explainRefusal } from '../refusals/refusal-words.ts'
import { FleetChart } from './fleet-chart.tsx'

export function addOverview(pages: PageApp): void {
  pages.get('/', async (context) => {
    const { api } = context.var
    const { data } = await api.call(summarizeDevices, { query: {} })
    const refused = await api.call(listRefusals, { query: { size: '3' } })
    return showPage(context, {
      title: 'Overview',
      children: (
        <>
          {data.devices === 0 ? <FirstSteps /> : <Figures summary={data} />}
          <ToDo summary={data} refused={refused.data.total} />
          <Refused refusals={refused.data.items} total={refused.data.total} />
          {data.devices > 0 && <FleetChart summary={data} />}
          <p class="soft">
            Counted at <Time at={data.at} />.
          </p>
        </>
      ),
    })
  })
}

const FirstSteps = () => (
  <Empty>
    <p>
      No connector has registered yet. The <a href="first-use">first steps</a> lead there: an
      organization, a label, a version, and a connector.
    </p>
    <p>
      A connector that registers appears among the <a href="devices">devices</a>; if it does not,{' '}
      <a href="refusals">refused registrations</a> say why.
    </p>
  </Empty>
)

const Figures = ({ summary }: { readonly summary: DeviceSummary }) => {
  const figures = [
    { to: 'devices', name: 'devices', count: summary.devices },
    { to: 'devices?fault=any', name: 'with a fault', count: summary.faulty },
    { to: 'devices?standing=silent', name: 'silent', count: summary.silent },
    { to: 'devices?standing=waiting', name: 'wait for approval', count: summary.waiting },
    { to: 'devices?standing=blocked', name: 'blocked', count: summary.blocked },
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
  summary: { devices, waiting, faulty, silent },
  refused,
}: {
  readonly summary: DeviceSummary
  readonly refused: number
}) => {
  const items = [
    { to: 'devices?standing=waiting', count: waiting, text: 'Approve devices, or block them' },
    { to: 'devices?fault=any', count: faulty, text: 'Look what is wrong with devices' },
    { to: 'refusals', count: refused, text: 'See why registrations are refused' },
    { to: 'devices?standing=silent', count: silent, text: 'Find out about silent devices' },
  ].filter(({ count }) => count > 0)
  if (items.length === 0) {
    return devices === 0 ? null : (
      <p>Nothing needs you: no faults, nothing refused, nobody waits.</p>
    )
  }
  return (
    <>
      <h2>What to do next</h2>
      <ul>
        {items.map(({ to, count, text }) => (
          <li>
            <a href={to}>{text}</a> ({formatCount(count)})
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
      <h2>Refused last</h2>
      <ul>
        {refusals.map((refusal) => (
          <li>
            <Time at={refusal.lastAt} />, {refusal.hostname ?? refusal.address}:{' '}
            {explainRefusal(refusal).what}
          </li>
        ))}
      </ul>
      <p>
        <a href="refusals">All refused registrations</a>
      </p>
    </>
  )
