/** A chart of counts by day, as SVG: bars for one series, lines for several. The table of its numbers stands beside it. */
import { formatCount } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { chooseTicks } from './chart-scale.ts'

/** At most this many: each line has a dash pattern and a colour of its own (chart-style.ts). */
export const maxSeries = 6

export interface ChartSeries {
  readonly name: string
  /** One for each day of the chart. */
  readonly values: readonly number[]
}

export interface ChartProps {
  /** Unique in its page. */
  readonly id: string
  /** What it shows, for screen readers. */
  readonly title: string
  /** What there is to see in it, in a sentence, for screen readers. */
  readonly description: string
  /** As users read them, oldest first, without a gap (`listDays`). */
  readonly days: readonly string[]
  /** One for bars, up to `maxSeries` for lines. */
  readonly series: readonly ChartSeries[]
}

/** In CSS pixels; the width is that of its place, so letters keep their size on a narrow screen. */
const plot = { top: 18, height: 170, labels: 24 } as const

/**
 * Renders the chart with its legend. Its colours come from classes: `chartStyle` (chart-style.ts) has to be in the style of
 * the page. The SVG has no `style` attribute, which the content security policy refuses.
 */
export const DailyChart = ({ id, title, description, days, series }: ChartProps) => {
  const ticks = chooseTicks(Math.max(0, ...series.flatMap(({ values }) => values)))
  const toY = (value: number) => round(plot.top + plot.height * (1 - value / (ticks.at(-1) ?? 1)))
  const hasLines = series.length > 1
  return (
    <figure class="chart">
      <svg
        role="img"
        aria-labelledby={`${id}-title ${id}-description`}
        width="100%"
        height={plot.top + plot.height + plot.labels}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-description`}>{description}</desc>
        {ticks.map((tick) => (
          <line class="chart-grid" x1="0" x2="100%" y1={toY(tick)} y2={toY(tick)} />
        ))}
        {hasLines
          ? series
              .slice(0, maxSeries)
              .map(({ values }, index) => (
                <Line index={index} values={values} max={ticks.at(-1) ?? 1} />
              ))
          : series.map(({ values }) => <Bars days={days} values={values} toY={toY} />)}
        {ticks.map((tick) => (
          <text class="chart-label" x="-8" y={toY(tick) + 4} text-anchor="end">
            {formatCount(tick)}
          </text>
        ))}
        <DayLabels days={days} />
      </svg>
      {hasLines && <Legend series={series} />}
    </figure>
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

/** Drawn in a box of its own, which is stretched to the width of the chart. */
const Line = ({
  index,
  values,
  max,
}: {
  readonly index: number
  readonly values: readonly number[]
  readonly max: number
}) => {
  const points = values.map(
    (value, day) =>
      `${round(((day + 0.5) / values.length) * 100)},${round((1 - value / max) * 100)}`,
  )
  // A single day is a short line, for a point has no length.
  const single = values.length === 1 ? [`0,${points[0]?.split(',')[1]}`, ...points] : points
  return (
    <svg
      x="0"
      y={plot.top}
      width="100%"
      height={plot.height}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      overflow="visible"
      aria-hidden="true"
    >
      <polyline class={`chart-line chart-line-${index + 1}`} points={single.join(' ')} />
    </svg>
  )
}

const DayLabels = ({ days }: { readonly days: readonly string[] }) => {
  const y = plot.top + plot.height + 18
  const [first, last] = [days[0], days.at(-1)]
  const middle = days.length > 4 ? days[Math.floor((days.length - 1) / 2)] : undefined
  return (
    <>
      {first !== undefined && (
        <text class="chart-label" x="0" y={y}>
          {first}
        </text>
      )}
      {middle !== undefined && (
        <text class="chart-label" x="50%" y={y} text-anchor="middle">
          {middle}
        </text>
      )}
      {days.length > 1 && (
        <text class="chart-label" x="100%" y={y} text-anchor="end">
          {last}
        </text>
      )}
    </>
  )
}

const Legend = ({ series }: { readonly series: readonly ChartSeries[] }) => (
  <figcaption>
    <ul class="chart-legend">
      {series.slice(0, maxSeries).map(({ name }, index) => (
        <li>
          <svg width="36" height="12" aria-hidden="true">
            <line class={`chart-line chart-line-${index + 1}`} x1="0" x2="36" y1="6" y2="6" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  </figcaption>
)

const round = (value: number): number => Math.round(value * 100) / 100
