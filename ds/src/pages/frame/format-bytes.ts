/** Sizes for people. */

const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** Three digits or more: `51.2 MB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const size = bytes / 1000 ** step
  return `${step === 0 ? size : size.toFixed(size < 100 ? 1 : 0)} ${units[step]}`
}
