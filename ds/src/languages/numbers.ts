/** Numbers with the words that go with them, days, and the names of languages, as a language writes them. */

export interface Numbers {
  /** With digit groups: `1,204`. */
  format(count: number): string
  /** The form of a word that fits a count. */
  choose(count: number, one: string, other: string): string
  /** A count with the form of the word that fits it: `1 device`, `1,204 devices`. */
  count(count: number, one: string, other: string): string
  /** A share of 100: `0.5%`. */
  percent(share: number): string
  /** Seconds, in the largest unit that fits: `8 hours`. */
  duration(seconds: number): string
  /** `YYYY-MM-DD`, a day in UTC: `Nov 27, 2026`. */
  day(day: string): string
  /** `YYYY-MM`: `November 2026`. */
  month(month: string): string
  /** ISO 8601, in UTC: `Nov 27, 2026, 2:05 PM UTC`. */
  time(at: string): string
  /** ISO 8601, the hour in UTC: `Nov 27, 2 PM UTC`. */
  hour(at: string): string
  /** The name of a language: `English` for `en`. What is no tag of BCP 47 stays as it is. */
  language(tag: string): string
}

/** Seconds of each, the longest first; a single day is 24 hours. */
const durations = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `locale`: a tag of BCP 47, such as `en-US`. */
export function createNumbers(locale: string): Numbers {
  const digits = new Intl.NumberFormat(locale)
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const rules = new Intl.PluralRules(locale)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const months = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  const times = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  const hours = new Intl.DateTimeFormat(locale, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  const names = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' })
  const choose = (count: number, one: string, other: string) =>
    rules.select(count) === 'one' ? one : other
  return {
    format: (count) => digits.format(count),
    choose,
    count: (count, one, other) => `${digits.format(count)} ${choose(count, one, other)}`,
    percent: (share) => percents.format(share / 100),
    duration(seconds) {
      const fits = ([unit, each]: (typeof durations)[number]) =>
        seconds % each === 0 && (unit !== 'day' || seconds > each)
      const [unit, length] = durations.find(fits) ?? durations[3]
      const style = { style: 'unit', unit, unitDisplay: 'long' } as const
      return new Intl.NumberFormat(locale, style).format(seconds / length)
    },
    day: (day) => days.format(Date.parse(day)),
    month: (month) => months.format(Date.parse(month)),
    time: (at) => times.format(Date.parse(at)),
    hour: (at) => hours.format(Date.parse(at)),
    language(tag) {
      try {
        return names.of(tag) ?? tag
      } catch {
        return tag
      }
    },
  }
}
