/** A value between two bounds that each decide something, as SVG. The numbers stand beside it as text. */
import { readTexts } from '../frame/texts.ts'
import { ChartImage, type ChartNames, round } from './chart-parts.tsx'

export interface BalanceProps extends ChartNames {
  readonly value: number
  /** Below 0 and above 0. */
  readonly low: { readonly value: number; readonly label: string }
  readonly high: { readonly value: number; readonly label: string }
}

/** In CSS pixels. */
const bar = { top: 22, height: 14 } as const

/** Its colours come from classes, as those of `DailyChart`. A value beyond a bound is drawn at the bound. */
export const Balance = ({ id, title, description, value, low, high }: BalanceProps) => {
  const toX = (at: number) =>
    round(
      ((Math.min(Math.max(at, low.value), high.value) - low.value) / (high.value - low.value)) *
        100,
    )
  const [zero, end] = [toX(0), toX(value)]
  const bottom = bar.top + bar.height
  return (
    <figure class="chart balance">
      <ChartImage {...{ id, title, description }} height={bottom + 22}>
        <text class="chart-label" x="0" y={bar.top - 8}>
          {low.label}
        </text>
        <text class="chart-label" x="100%" y={bar.top - 8} text-anchor="end">
          {high.label}
        </text>
        <rect class="balance-track" x="0" width="100%" y={bar.top} height={bar.height} />
        <rect
          class="chart-bar"
          x={`${Math.min(zero, end)}%`}
          width={`${round(Math.abs(end - zero))}%`}
          y={bar.top}
          height={bar.height}
        />
        <line
          class="balance-zero"
          x1={`${zero}%`}
          x2={`${zero}%`}
          y1={bar.top - 3}
          y2={bottom + 3}
        />
        {[
          { x: '0', at: low.value, anchor: undefined },
          { x: `${zero}%`, at: 0, anchor: 'middle' },
          { x: '100%', at: high.value, anchor: 'end' },
        ].map(({ x, at, anchor }) => (
          <text class="chart-label" x={x} y={bottom + 17} text-anchor={anchor}>
            {formatRatio(at)}
          </text>
        ))}
      </ChartImage>
    </figure>
  )
}

/** With one digit behind the point. */
export const formatRatio = (ratio: number): string =>
  // Without the minus sign of a negative zero.
  readTexts().numbers.format((Math.round(ratio * 10) || 0) / 10)
