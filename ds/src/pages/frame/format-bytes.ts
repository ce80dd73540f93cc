/** Sizes for people. */
import { readTexts } from './texts.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Three digits or more, as the language of the request writes them: `51.2 MB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const size = bytes / 1000 ** step
  const digits = step > 0 && size < 100 ? 1 : 0
  return new Intl.NumberFormat(readTexts().locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(size)
}
