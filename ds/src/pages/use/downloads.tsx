/** How often installers were downloaded. */
import {
  type Input,
  listDownloads,
  Platform,
  Problem,
  summarizeDownloads,
} from '@cardwire/client/protocol'
import type { Clock } from '../../ports.ts'
import { toCsvRow } from '../../rules/csv.ts'
import { Field, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, formatCount, PageLinks, Table } from '../frame/parts.tsx'
import { CountChart } from './count-chart.tsx'
import { readPeriod } from './period.ts'

const here = 'downloads'

/** How many rows the file has at most. */
const maxRows = 10_000

type Filter = Input<typeof summarizeDownloads>['query']

export function addDownloads(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/downloads', (context) => showDownloads(context, clock()))

  pages.get('/downloads.csv', async (context) => {
    const query = { ...readFilter(context), size: '100' }
    const lines = [toCsvRow(['day', 'version', 'system', 'count'])]
    for (let page = 1, isMore = true; isMore; page += 1) {
      const { data } = await context.var.api.call(listDownloads, {
        query: { ...query, page: String(page) },
      })
      lines.push(
        ...data.items.map(({ day, versionId, os, count }) => toCsvRow([day, versionId, os, count])),
      )
      // Each page is a query of its own: nobody waits for more of them than these, or has left.
      if (data.total > maxRows) throw createTooLong(data.total)
      isMore = page * data.size < data.total && !context.req.raw.signal.aborted
    }
    return context.body(lines.join(''), 200, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="downloads.csv"',
    })
  })
}

const createTooLong = (total: number) =>
  new Problem(
    'input-invalid',
    `Cannot write the file: it would have ${formatCount(total)} rows, choose a period or a version with ${formatCount(maxRows)} at most`,
  )

function readFilter({ req }: PageContext): Filter {
  const { from, to, versionId, os } = req.query()
  return {
    from: from || undefined,
    to: to || undefined,
    versionId: versionId || undefined,
    // The operation refuses what is none.
    os: (os || undefined) as Platform | undefined,
  }
}

async function showDownloads(context: PageContext, now: number) {
  const given = readFilter(context)
  const filter = { ...given, ...readPeriod(given, now) }
  const { data: sums } = await context.var.api.call(summarizeDownloads, { query: filter })
  const query = { ...filter, page: context.req.query('page') }
  const { data: list } = await context.var.api.call(listDownloads, { query })
  return showPage(context, {
    title: 'Downloads',
    screen: 'use',
    trail: [{ to: 'use', text: 'Use' }],
    children: (
      <>
        <p>Downloads of installers from this service, by day in UTC.</p>
        <FilterForm filter={filter} />
        {sums.total === 0 ? (
          <Empty>
            <p>
              Nothing was downloaded like that. The address <code>/v3/downloads/installer</code> of
              this service sends each user the installer for their computer.
            </p>
          </Empty>
        ) : (
          <>
            <p>
              In all: <strong>{formatCount(sums.total)}</strong>.{' '}
              <a href={createHref('downloads.csv', filter)}>All of them as CSV</a>
            </p>
            <CountChart
              title="Downloads by day"
              what="downloads"
              period={filter}
              days={sums.days}
            />
            <Table
              caption="Downloads by version and system"
              head={['Day', 'Version', 'System', 'Downloads']}
              numbers={[3]}
              rows={list.items.map(({ day, versionId, os, count }) => [
                day,
                versionId,
                os,
                formatCount(count),
              ])}
            />
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
      <Field name="versionId" label="Version" value={filter.versionId} maxlength={200} />
      <Select
        name="os"
        label="System"
        value={filter.os}
        options={[
          { value: '', text: 'All' },
          ...Platform.options.map((os) => ({ value: os, text: os })),
        ]}
      />
      <button type="submit">Show</button>
      <a href={here}>Last 30 days</a>
    </form>
  </search>
)
