/** How often readers were used: by day as a chart and its table, and each counter. */
import {
  exportCounters,
  type Input,
  listCounters,
  noLabel,
  summarizeCounters,
  UseCase,
} from '@cardwire/client/protocol'
import type { Clock } from '../../ports.ts'
import { createAddress } from '../frame/api.ts'
import { Field, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, formatCount, PageLinks, Table } from '../frame/parts.tsx'
import { CountChart } from './count-chart.tsx'
import { readPeriod } from './period.ts'

const here = 'use'

type Filter = Omit<Input<typeof summarizeCounters>['query'], 'tag'>

export function addUse(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/use', (context) => showUse(context, clock()))

  pages.get('/use.csv', (context) =>
    context.var.api.send('GET', createAddress(exportCounters, { query: readFilter(context) })),
  )
}

function readFilter({ req }: PageContext): Filter {
  const { from, to, label, module, useCase } = req.query()
  return {
    from: from || undefined,
    to: to || undefined,
    label: label || undefined,
    module: module || undefined,
    // The operation refuses what is none.
    useCase: (useCase || undefined) as UseCase | undefined,
  }
}

async function showUse(context: PageContext, now: number) {
  const given = readFilter(context)
  const filter = { ...given, ...readPeriod(given, now) }
  const { data: sums } = await context.var.api.call(summarizeCounters, { query: filter })
  const query = { ...filter, page: context.req.query('page') }
  const { data: list } = await context.var.api.call(listCounters, { query })
  return showPage(context, {
    title: 'Use',
    children: (
      <>
        <p>
          Connectors count what pages do with readers, by day in UTC. Without a filter these are the
          last 30 days. <a href="downloads">Downloads of installers</a> are counted by themselves.
        </p>
        <FilterForm filter={filter} />
        {sums.total === 0 ? (
          <Empty>
            <p>
              Nothing was counted like that. Connectors report their use when they synchronize: a
              page with a token of a <a href="labels">label</a> has to use a reader first.
            </p>
          </Empty>
        ) : (
          <>
            <p>
              In all: <strong>{formatCount(sums.total)}</strong>.{' '}
              <a href={createHref('use.csv', filter)}>All of them as CSV</a>
            </p>
            <CountChart title="Uses by day" what="uses" period={filter} days={sums.days} />
            <Counters items={list.items} />
            <PageLinks to={here} query={filter} {...list} />
          </>
        )}
      </>
    ),
  })
}

const FilterForm = ({ filter }: { readonly filter: Filter }) => (
  <search>
    <form class="filters" method="get" action={here}>
      <Field name="from" label="From" type="date" value={filter.from} />
      <Field name="to" label="To" type="date" value={filter.to} />
      <Field name="label" label="Id of the label" value={filter.label} maxlength={200} />
      <Field name="module" label="Module" value={filter.module} maxlength={64} />
      <Select
        name="useCase"
        label="Use case"
        value={filter.useCase}
        options={[
          { value: '', text: 'All' },
          ...UseCase.options.map((useCase) => ({ value: useCase, text: useCase })),
        ]}
      />
      <button type="submit">Show</button>
      <a href={here}>Last 30 days</a>
    </form>
  </search>
)

const Counters = ({
  items,
}: {
  readonly items: readonly {
    readonly day: string
    readonly label: string
    readonly module: string
    readonly useCase: string
    readonly tag?: string | undefined
    readonly count: number
  }[]
}) => (
  <Table
    caption="Counters"
    head={['Day', 'Label', 'Module', 'Use case', 'Billing tag', 'Uses']}
    numbers={[5]}
    rows={items.map(({ day, label, module, useCase, tag, count }) => [
      day,
      label === noLabel ? 'none' : <a href={`labels/${encodeURIComponent(label)}`}>{label}</a>,
      module,
      useCase,
      tag,
      formatCount(count),
    ])}
  />
)
