/** Formats and prints the results of the bench. */

export const printRow = (measured: string, figure: string, target = '') =>
  process.stdout.write(
    `${measured.padEnd(52)}${figure.padStart(16)}   ${target}`.trimEnd().concat('\n'),
  )

export const formatMs = (value: number) => `${value.toFixed(2)} ms`

export const getMedian = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
