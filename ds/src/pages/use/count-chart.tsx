/** Counts by day: the chart, and below it the same as a table that opens. */
import type { Texts } from '../../languages/en/catalog.ts'
import { DailyChart } from '../charts/chart.tsx'
import { listDays, sumByDay } from '../charts/chart-scale.ts'
import { formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import type { Period } from './period.ts'

interface CountChartProps {
  readonly texts: Texts['use']['chart']
  readonly period: Period
  /** Those with a count, oldest first. */
  readonly days: readonly { readonly day: string; readonly count: number }[]
}

export const CountChart = ({ texts, period, days }: CountChartProps) => {
  const shown = listDays(period.from, period.to)
  const format = readTexts().numbers.day
  const labels = shown.map(format)
  const most = days.reduce((best, day) => (day.count > best.count ? day : best), {
    day: '',
    count: 0,
  })
  return (
    <>
      <DailyChart
        id="counts"
        title={texts.title}
        description={texts.description(
          labels[0] ?? '',
          labels.at(-1) ?? '',
          most.day === '' ? '' : format(most.day),
          most.count,
        )}
        days={labels}
        series={[{ name: texts.title, values: sumByDay(shown, days) }]}
      />
      <details>
        <summary>{readTexts().use.asTable}</summary>
        <Table
          caption={texts.title}
          head={[readTexts().use.day, texts.counted]}
          numbers={[1]}
          rows={days.map(({ day, count }) => [format(day), formatCount(count)])}
        />
      </details>
    </>
  )
}
