/** The lines that the bench prints. */

export const row = (measured: string, figure: string, target = '') =>
  process.stdout.write(
    `${measured.padEnd(52)}${figure.padStart(12)}   ${target}`.trimEnd().concat('\n'),
  )

export const ms = (value: number) => `${value.toFixed(2)} ms`

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
