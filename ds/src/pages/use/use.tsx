/** How often readers were used: by day as a chart and its table, and each counter. */
import {
  exportCounters,
  getLabel,
  type Input,
  listCounters,
  listLabels,
  noLabel,
  summarizeCounters,
  UseCase,
} from '@cardwire/protocol'
import type { Clock } from '../../ports.ts'
import { createAddress } from '../frame/api.ts'
import { Field, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import { findNamed, type NamedChoice, NamedFilter } from '../frame/named-filter.tsx'
import { readNames } from '../frame/names.ts'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, formatCount, PageLinks, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { CountChart } from './count-chart.tsx'
import { listModules, nameModule } from './module-names.ts'
import { readPeriod } from './period.ts'

const here = 'use'

type Filter = Omit<Input<typeof summarizeCounters>['query'], 'tag'>

export function addUse(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/use', (context) => showUse(context, clock()))

  pages.get('/use.csv', async (context) => {
    const { id: label } = await findLabel(context)
    const query = { ...readFilter(context), label }
    return context.var.api.send('GET', createAddress(exportCounters, { query }))
  })
}

function readFilter({ req }: PageContext): Filter {
  const { from, to, module, useCase } = req.query()
  return {
    from: from || undefined,
    to: to || undefined,
    module: module || undefined,
    // The operation refuses what is none.
    useCase: (useCase || undefined) as UseCase | undefined,
  }
}

/** The application that was chosen or typed; uses without one have an id, too. */
const findLabel = ({ req, var: { api } }: PageContext): Promise<NamedChoice> =>
  findNamed(
    async (name) => (await api.call(listLabels, { query: { name, size: '100' } })).data,
    req.query('label'),
  )

async function showUse(context: PageContext, now: number) {
  const application = await findLabel(context)
  const given = { ...readFilter(context), label: application.id }
  const filter = { ...given, ...readPeriod(given, now) }
  const { data: sums } = await context.var.api.call(summarizeCounters, { query: filter })
  const query = { ...filter, page: context.req.query('page') }
  const { data: list } = await context.var.api.call(listCounters, { query })
  const nameOf = await readNames(
    list.items.map(({ label }) => label).filter((label) => label !== noLabel),
    async (id) => (await context.var.api.call(getLabel, { params: { id } })).data.name,
  )
  const texts = readTexts().use
  return showPage(context, {
    title: texts.title,
    children: (
      <>
        <p>
          {texts.about(
            (words) => (
              <a href="downloads">{words}</a>
            ),
            (words) => (
              <a href="organization-use">{words}</a>
            ),
          )}
        </p>
        <FilterForm filter={filter} application={application} />
        {sums.total === 0 ? (
          <Empty>
            <p>
              {texts.empty((words) => (
                <a href="labels">{words}</a>
              ))}
            </p>
          </Empty>
        ) : (
          <>
            <p>
              {texts.total(sums.total, (number) => (
                <strong>{number}</strong>
              ))}{' '}
              <a href={createHref('use.csv', filter)}>{texts.download}</a>
            </p>
            <CountChart texts={texts.chart} period={filter} days={sums.days} />
            <Counters items={list.items} nameOf={nameOf} />
            {list.items.some(({ tag }) => tag !== undefined) && (
              <p class="soft">{texts.counters.tagAbout}</p>
            )}
            <PageLinks to={here} query={filter} {...list} />
          </>
        )}
      </>
    ),
  })
}

const FilterForm = ({
  filter,
  application,
}: {
  readonly filter: Filter
  readonly application: NamedChoice
}) => {
  const { filters: texts, useCases, counters } = readTexts().use
  return (
    <search>
      <form class="filters" method="get" action={here}>
        <Field name="from" label={texts.from} type="date" value={filter.from} />
        <Field name="to" label={texts.to} type="date" value={filter.to} />
        <NamedFilter
          name="label"
          label={texts.application}
          choice={application}
          more={[{ value: noLabel, text: counters.noApplication }]}
        />
        <Select
          name="module"
          label={texts.module}
          value={filter.module ?? ''}
          options={[
            { value: '', text: texts.all },
            ...listModules(filter.module).map((id) => ({ value: id, text: nameModule(id) })),
          ]}
        />
        <Select
          name="useCase"
          label={texts.useCase}
          value={filter.useCase}
          options={[
            { value: '', text: texts.all },
            ...UseCase.options.map((useCase) => ({ value: useCase, text: useCases[useCase] })),
          ]}
        />
        <button type="submit">{texts.apply}</button>
        <a href={here}>{texts.clear}</a>
      </form>
    </search>
  )
}

const Counters = ({
  items,
  nameOf,
}: {
  /** The name of an application, by its id. */
  readonly nameOf: (id: string) => string
  readonly items: readonly {
    readonly day: string
    readonly label: string
    readonly module: string
    readonly useCase: UseCase
    readonly tag?: string | undefined
    readonly count: number
  }[]
}) => {
  const { numbers, use } = readTexts()
  const { counters: texts, day: dayText, useCases } = use
  return (
    <Table
      caption={texts.caption}
      head={[dayText, texts.application, texts.module, texts.useCase, texts.tag, texts.uses]}
      numbers={[5]}
      rows={items.map(({ day, label, module, useCase, tag, count }) => [
        numbers.day(day),
        label === noLabel ? (
          texts.noApplication
        ) : (
          <a href={`labels/${encodeURIComponent(label)}`}>{nameOf(label)}</a>
        ),
        nameModule(module),
        useCases[useCase],
        tag,
        formatCount(count),
      ])}
    />
  )
}
