/** What charts are made of: their frame, lines, the labels below them, and the legend. */
import type { PropsWithChildren } from 'hono/jsx'

/** At most this many: each line has a separate dash pattern and color (chart-style.ts). */
export const maxSeries = 6

/** In CSS pixels; the width is that of its place, so letters keep their size on a narrow screen. */
export const plot = { top: 18, height: 170, labels: 24 } as const

/** What every chart says of itself. */
export interface ChartNames {
  /** Unique in its page. */
  readonly id: string
  /** What it shows, for screen readers. */
  readonly title: string
  /** What there is to see in it, in a sentence, for screen readers. */
  readonly description: string
}

/** The image of a chart, as screen readers know it. */
export const ChartImage = ({
  id,
  title,
  description,
  height,
  children,
}: PropsWithChildren<ChartNames & { readonly height: number }>) => (
  <svg role="img" aria-labelledby={`${id}-title ${id}-description`} width="100%" height={height}>
    <title id={`${id}-title`}>{title}</title>
    <desc id={`${id}-description`}>{description}</desc>
    {children}
  </svg>
)

/** Values over time: the lines of some of them behind what is drawn, the labels of others beside it, the axis and the legend. */
export const ChartFrame = ({
  names,
  toY,
  grid,
  ticks,
  format,
  axis,
  legend,
  children,
}: PropsWithChildren<{
  readonly names: ChartNames
  readonly toY: (value: number) => number
  readonly grid: readonly number[]
  readonly ticks: readonly number[]
  readonly format: (value: number) => string
  readonly axis: Axis
  /** The names of its lines, if it has any. */
  readonly legend: readonly string[]
}>) => (
  <figure class="chart">
    <ChartImage {...names} height={plot.top + plot.height + plot.labels}>
      {grid.map((value) => (
        <line class="chart-grid" x1="0" x2="100%" y1={toY(value)} y2={toY(value)} />
      ))}
      {children}
      {ticks.map((value) => (
        <text class="chart-label" x="-8" y={toY(value) + 4} text-anchor="end">
          {format(value)}
        </text>
      ))}
      <AxisLabels {...axis} />
    </ChartImage>
    {legend.length > 0 && <Legend names={legend} />}
  </figure>
)

/** Drawn in a separate box, which is stretched to the width of the chart. `heights`: from 0, the bottom, to 1. */
export const Line = ({
  index,
  heights,
}: {
  readonly index: number
  readonly heights: readonly number[]
}) => {
  const points = heights.map(
    (height, at) => `${round(((at + 0.5) / heights.length) * 100)},${round((1 - height) * 100)}`,
  )
  // A single one is a short line, for a point has no length.
  const single = heights.length === 1 ? [`0,${points[0]?.split(',')[1]}`, ...points] : points
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

/** What a chart has on its lower axis. */
export interface Axis {
  /** As users read them, oldest first, without a gap. */
  readonly labels: readonly string[]
  /** ISO 8601, of each label where they are hours: the script writes those in the zone of the reader. */
  readonly times?: readonly string[] | undefined
}

/** The first and the last label, and of many short ones that in the middle. */
const AxisLabels = ({ labels, times }: Axis) => {
  const middle = Math.floor((labels.length - 1) / 2)
  const last = labels.length - 1
  const shown = [
    { at: 0, x: '0', anchor: undefined, isShown: last >= 0 },
    { at: middle, x: '50%', anchor: 'middle', isShown: last > 3 && !times },
    { at: last, x: '100%', anchor: 'end', isShown: last > 0 },
  ]
  return (
    <>
      {shown
        .filter(({ isShown }) => isShown)
        .map(({ at, x, anchor }) => (
          <text
            class="chart-label"
            x={x}
            y={plot.top + plot.height + 18}
            text-anchor={anchor}
            data-local-hour={times?.[at]}
          >
            {labels[at]}
          </text>
        ))}
    </>
  )
}

const Legend = ({ names }: { readonly names: readonly string[] }) => (
  <figcaption>
    <ul class="chart-legend">
      {names.slice(0, maxSeries).map((name, index) => (
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

export const round = (value: number): number => Math.round(value * 100) / 100
