/** How a value moves between two bounds that each decide something, as SVG. The table of its numbers stands beside it. */
import { formatRatio } from './balance.tsx'
import { type Axis, ChartFrame, type ChartNames, Line, plot, round } from './chart-parts.tsx'

interface BoundedChartProps extends Axis, ChartNames {
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
    <ChartFrame
      names={{ id, title, description }}
      toY={toY}
      grid={[0]}
      ticks={[low.value, 0, high.value]}
      format={formatRatio}
      axis={axis}
      legend={[name, high.label, low.label]}
    >
      {lines.map((line, index) => (
        <Line index={index} heights={line.map(toHeight)} />
      ))}
    </ChartFrame>
  )
}
