/** A chart of counts by day or hour, as SVG: bars for one series, lines for several. The table of its numbers stands beside it. */
import { formatCount } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { ChartFrame, type ChartNames, Line, maxSeries, plot, round } from './chart-parts.tsx'
import { chooseTicks } from './chart-scale.ts'

export { maxSeries } from './chart-parts.tsx'

export interface ChartSeries {
  readonly name: string
  /** One for each day of the chart. */
  readonly values: readonly number[]
}

export interface ChartProps extends ChartNames {
  /** As users read them, oldest first, without a gap (`listDays`). */
  readonly days: readonly string[]
  /** ISO 8601, where the days are hours. */
  readonly times?: readonly string[] | undefined
  /** One for bars, up to `maxSeries` for lines. */
  readonly series: readonly ChartSeries[]
}

/**
 * Renders the chart with its legend. Its colours come from classes: `chartStyle` (chart-style.ts) has to be in the style of
 * the page. The SVG has no `style` attribute, which the content security policy refuses.
 */
export const DailyChart = ({ id, title, description, days, times, series }: ChartProps) => {
  const ticks = chooseTicks(Math.max(0, ...series.flatMap(({ values }) => values)))
  const max = ticks.at(-1) ?? 1
  const toY = (value: number) => round(plot.top + plot.height * (1 - value / max))
  const hasLines = series.length > 1
  return (
    <ChartFrame
      names={{ id, title, description }}
      toY={toY}
      grid={ticks}
      ticks={ticks}
      format={formatCount}
      axis={{ labels: days, times }}
      legend={hasLines ? series.map(({ name }) => name) : []}
    >
      {hasLines
        ? series
            .slice(0, maxSeries)
            .map(({ values }, index) => (
              <Line index={index} heights={values.map((value) => value / max)} />
            ))
        : series.map(({ values }) => <Bars days={days} values={values} toY={toY} />)}
    </ChartFrame>
  )
}

const Bars = ({
  days,
  values,
  toY,
}: {
  readonly days: readonly string[]
  readonly values: readonly number[]
  readonly toY: (value: number) => number
}) => {
  const width = 100 / Math.max(1, days.length)
  return (
    <>
      {values.map((value, index) => (
        <rect
          class="chart-bar"
          x={`${round((index + 0.1) * width)}%`}
          width={`${round(0.8 * width)}%`}
          y={toY(value)}
          height={round(toY(0) - toY(value))}
        >
          <title>{readTexts().frame.field(days[index] ?? '', formatCount(value))}</title>
        </rect>
      ))}
    </>
  )
}
