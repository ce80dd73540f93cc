/** Numbers, and the words that go with them, as a language writes them. */

export interface Numbers {
  /** With digit groups: `1,204`. */
  format(count: number): string
  /** The form of a word that fits a count. */
  choose(count: number, one: string, other: string): string
  /** A count with the form of the word that fits it: `1 device`, `1,204 devices`. */
  count(count: number, one: string, other: string): string
}

/** `locale`: a tag of BCP 47, such as `en-US`. */
export function createNumbers(locale: string): Numbers {
  const digits = new Intl.NumberFormat(locale)
  const rules = new Intl.PluralRules(locale)
  const choose = (count: number, one: string, other: string) =>
    rules.select(count) === 'one' ? one : other
  return {
    format: (count) => digits.format(count),
    choose,
    count: (count, one, other) => `${digits.format(count)} ${choose(count, one, other)}`,
  }
}
