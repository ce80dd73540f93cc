/** The style of charts: part of the style of every page. */

/**
 * Every colour has a contrast of 3:1 or more with its background (WCAG 2.2, 1.4.11), and every line a dash pattern of its
 * own, so that no colour has to be told from another.
 */
export const chartStyle = `
.chart { margin: 1rem 0; }
.chart > svg { display: block; max-width: 100%; box-sizing: border-box; padding-left: 3.5rem; overflow: visible; }
.chart-grid { stroke: CanvasText; stroke-opacity: .25; }
.chart-label { fill: CanvasText; font-size: .75rem; font-variant-numeric: tabular-nums; }
.chart-bar { fill: light-dark(#1d5fa8, #7cb7ff); }
.balance { max-width: 36rem; }
.balance-track { fill: none; stroke: CanvasText; stroke-opacity: .6; }
.balance-zero { stroke: CanvasText; stroke-width: 2; }
.chart-line { fill: none; stroke-width: 2.5; vector-effect: non-scaling-stroke; }
.chart-line-1 { stroke: light-dark(#1d5fa8, #7cb7ff); }
.chart-line-2 { stroke: light-dark(#a34700, #ffb27a); stroke-dasharray: 9 4; }
.chart-line-3 { stroke: light-dark(#23702f, #8fd99b); stroke-dasharray: 2 4; }
.chart-line-4 { stroke: light-dark(#7a3aa0, #d6a5f5); stroke-dasharray: 12 3 2 3; }
.chart-line-5 { stroke: light-dark(#9c1c3c, #ff9db4); stroke-dasharray: 16 6; }
.chart-line-6 { stroke: light-dark(#555555, #c0c0c0); stroke-dasharray: 5 3 1 3 1 3; }
.chart-legend { list-style: none; margin: .5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.chart-legend li { display: flex; align-items: center; gap: .5rem; }
@media (forced-colors: active) { .chart-bar { fill: CanvasText; } .chart-line { stroke: CanvasText; } }
`
