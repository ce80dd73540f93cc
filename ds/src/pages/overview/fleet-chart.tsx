/** The versions in the field by day: a chart, and the table of its numbers. */
import type { DeviceSummary } from '@cardwire/protocol'
import { DailyChart, maxSeries } from '../charts/chart.tsx'
import { listDays, sumByDay } from '../charts/chart-scale.ts'
import { formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'

export const FleetChart = ({ summary }: { readonly summary: DeviceSummary }) => {
  const { days, series } = toSeries(summary)
  const labels = days.map(readTexts().numbers.day)
  const texts = readTexts().overview.fleet
  const last = series.map(({ name, values }) => `${name} ${formatCount(values.at(-1) ?? 0)}`)
  return (
    <>
      <h2>{texts.title}</h2>
      <p class="soft">{texts.about}</p>
      <DailyChart
        id="fleet"
        title={texts.chart}
        description={texts.description(days.length, last.join(', '))}
        days={labels}
        series={series}
      />
      <details>
        <summary>{texts.asTable}</summary>
        <Table
          caption={texts.caption}
          head={[texts.day, ...series.map(({ name }) => name)]}
          rows={labels
            .toReversed()
            .map((day, at) => [
              day,
              ...series.map(({ values }) => formatCount(values.at(-1 - at) ?? 0)),
            ])}
        />
      </details>
    </>
  )
}

/** The versions that most devices have had, and the sum of the others; from the first day that was counted. */
function toSeries({ days: rows, at }: DeviceSummary) {
  const today = at.slice(0, 10)
  const days = listDays(rows[0]?.day ?? today, today)
  const totals = new Map<string, number>()
  for (const { version, count } of rows) totals.set(version, (totals.get(version) ?? 0) + count)
  const sorted = [...totals].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  const named = sorted.filter((name) => name !== 'other')
  const kept = named.slice(0, totals.size > maxSeries ? maxSeries - 1 : maxSeries)
  const others = rows.filter(({ version }) => !kept.includes(version))
  const series = kept.map((name) => ({
    name,
    values: sumByDay(
      days,
      rows.filter(({ version }) => version === name),
    ),
  }))
  if (others.length > 0)
    series.push({ name: readTexts().overview.fleet.others, values: sumByDay(days, others) })
  return { days, series }
}
