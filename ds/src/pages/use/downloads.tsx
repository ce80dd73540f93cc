/** How often installers were downloaded. */
import {
  type Input,
  listDownloads,
  Platform,
  Problem,
  summarizeDownloads,
} from '@cardwire/protocol'
import type { Clock } from '../../ports.ts'
import { toCsvRow } from '../../rules/csv.ts'
import { listVersionIds, VersionList } from '../configurations/version-list.tsx'
import { Field, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, formatCount, PageLinks, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
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
  const texts = readTexts().use
  return showPage(context, {
    title: texts.downloads.title,
    screen: 'use',
    trail: [{ to: 'use', text: texts.title }],
    children: (
      <>
        <p>{texts.downloads.about}</p>
        <FilterForm filter={filter} versions={await listVersionIds(context)} />
        {sums.total === 0 ? (
          <Empty>
            <p>{texts.downloads.empty(<code>/v3/downloads/installer</code>)}</p>
          </Empty>
        ) : (
          <>
            <p>
              {texts.downloads.total(sums.total, (number) => (
                <strong>{number}</strong>
              ))}{' '}
              <a href={createHref('downloads.csv', filter)}>{texts.download}</a>
            </p>
            <CountChart texts={texts.downloads.chart} period={filter} days={sums.days} />
            <DownloadTable items={list.items} />
            <PageLinks to={here} query={filter} {...list} />
          </>
        )}
      </>
    ),
  })
}

const DownloadTable = ({
  items,
}: {
  readonly items: readonly {
    readonly day: string
    readonly versionId: string
    readonly os: Platform
    readonly count: number
  }[]
}) => {
  const { numbers, use } = readTexts()
  const { downloads: texts, day: dayText } = use
  return (
    <Table
      caption={texts.caption}
      head={[dayText, texts.version, texts.system, texts.count]}
      numbers={[3]}
      rows={items.map(({ day, versionId, os, count }) => [
        numbers.day(day),
        versionId,
        readTexts().systems[os],
        formatCount(count),
      ])}
    />
  )
}

const FilterForm = ({
  filter,
  versions,
}: {
  readonly filter: Filter
  readonly versions: readonly string[]
}) => {
  const texts = readTexts().use.filters
  return (
    <search>
      <form class="filters" method="get" action={here}>
        <Field name="from" label={texts.from} type="date" value={filter.from} />
        <Field name="to" label={texts.to} type="date" value={filter.to} />
        <Field
          name="versionId"
          label={texts.version}
          value={filter.versionId}
          maxlength={200}
          list="versions"
        />
        <VersionList ids={versions} />
        <Select
          name="os"
          label={texts.system}
          value={filter.os}
          options={[
            { value: '', text: texts.all },
            ...Platform.options.map((os) => ({ value: os, text: readTexts().systems[os] })),
          ]}
        />
        <button type="submit">{texts.apply}</button>
        <a href={here}>{texts.clear}</a>
      </form>
    </search>
  )
}
