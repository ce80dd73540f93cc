/** Figures as a table for people. */

export interface Line {
  readonly what: string
  readonly figure: string
  readonly note?: string
  readonly target?: string
}

export const formatRate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`
export const formatSpeed = (bytesPerSecond: number) =>
  `${Math.round(bytesPerSecond / 1e6).toLocaleString('en')} MB/s`
export const formatRatio = (ours: number, theirs: number) => `ratio ${(ours / theirs).toFixed(2)}`

export function formatTable(lines: readonly Line[]): string {
  const rows = [
    ['measured', 'figure', 'of it', 'target'],
    ...lines.map(({ what, figure, note = '', target = '' }) => [what, figure, note, target]),
  ]
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const widths = [0, 1, 2, 3].map(width)
  return rows
    .map(([what = '', figure = '', note = '', target = '']) =>
      [
        what.padEnd(widths[0] ?? 0),
        figure.padStart(widths[1] ?? 0),
        note.padEnd(widths[2] ?? 0),
        target,
      ]
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
}
