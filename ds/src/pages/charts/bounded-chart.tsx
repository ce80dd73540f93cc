/** How a value moves between two bounds that each decide something, as SVG. The table of its numbers stands beside it. */
import { formatRatio } from './balance.tsx'
import { type Axis, AxisLabels, Legend, Line, plot, round } from './chart-parts.tsx'

interface BoundedChartProps extends Axis {
  /** Unique in its page. */
  readonly id: string
  /** What it shows, for screen readers. */
  readonly title: string
  /** What there is to see in it, in a sentence, for screen readers. */
  readonly description: string
  readonly name: string
  /** One for each label. */
  readonly values: readonly number[]
  /** Below 0 and above 0. */
  readonly low: { readonly value: number; readonly label: string }
  readonly high: { readonly value: number; readonly label: string }
}

/** Its colours come from classes, as those of `DailyChart`. A value beyond a bound is drawn at the bound. */
export const BoundedChart = ({
  id,
  title,
  description,
  name,
  values,
  low,
  high,
  ...axis
}: BoundedChartProps) => {
  const toHeight = (value: number) =>
    (Math.min(Math.max(value, low.value), high.value) - low.value) / (high.value - low.value)
  const toY = (value: number) => round(plot.top + plot.height * (1 - toHeight(value)))
  const lines = [values, values.map(() => high.value), values.map(() => low.value)]
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
        <line class="chart-grid" x1="0" x2="100%" y1={toY(0)} y2={toY(0)} />
        {lines.map((line, index) => (
          <Line index={index} heights={line.map(toHeight)} />
        ))}
        {[low.value, 0, high.value].map((value) => (
          <text class="chart-label" x="-8" y={toY(value) + 4} text-anchor="end">
            {formatRatio(value)}
          </text>
        ))}
        <AxisLabels {...axis} />
      </svg>
      <Legend names={[name, high.label, low.label]} />
    </figure>
  )
}
