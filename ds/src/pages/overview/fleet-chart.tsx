/** The versions in the field by day: a chart, and the table of its numbers. */
import type { DeviceSummary } from '@cardwire/client/protocol'
import { DailyChart, maxSeries } from '../charts/chart.tsx'
import { listDays, sumByDay } from '../charts/chart-scale.ts'
import { formatCount, Table } from '../frame/parts.tsx'

export const FleetChart = ({ summary }: { readonly summary: DeviceSummary }) => {
  const { days, series } = toSeries(summary)
  const last = series.map(({ name, values }) => `${name} ${formatCount(values.at(-1) ?? 0)}`)
  return (
    <>
      <h2>Versions in the field</h2>
      <p class="soft">
        Devices by the version with which they were seen last on each day; today, so far.
      </p>
      <DailyChart
        id="fleet"
        title="Devices seen each day, by version"
        description={`${days.length} days. Today so far: ${last.join(', ')}.`}
        days={days}
        series={series}
      />
      <details>
        <summary>The numbers as a table</summary>
        <Table
          caption="Devices seen by day and version"
          head={['Day', ...series.map(({ name }) => name)]}
          rows={days
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
  if (others.length > 0) series.push({ name: 'Others', values: sumByDay(days, others) })
  return { days, series }
}
