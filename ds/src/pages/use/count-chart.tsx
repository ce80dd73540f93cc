/** Counts by day: the chart, and below it the same as a table that opens. */
import { DailyChart } from '../charts/chart.tsx'
import { listDays, sumByDay } from '../charts/chart-scale.ts'
import { formatCount, Table } from '../frame/parts.tsx'
import type { Period } from './period.ts'

interface CountChartProps {
  readonly title: string
  /** What is counted, such as `uses`. */
  readonly what: string
  readonly period: Period
  /** Those with a count, oldest first. */
  readonly days: readonly { readonly day: string; readonly count: number }[]
}

export const CountChart = ({ title, what, period, days }: CountChartProps) => {
  const shown = listDays(period.from, period.to)
  const most = days.reduce((best, day) => (day.count > best.count ? day : best), {
    day: '',
    count: 0,
  })
  return (
    <>
      <DailyChart
        id="counts"
        title={title}
        description={`From ${shown[0]} to ${shown.at(-1)}, most on ${most.day}: ${formatCount(most.count)}. The table below has all numbers.`}
        days={shown}
        series={[{ name: title, values: sumByDay(shown, days) }]}
      />
      <details>
        <summary>{title}, as a table</summary>
        <Table
          caption={title}
          head={['Day', what]}
          numbers={[1]}
          rows={days.map(({ day, count }) => [day, formatCount(count)])}
        />
      </details>
    </>
  )
}
