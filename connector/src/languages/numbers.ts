/** Numbers with the words that go with them. */

/** Puts the form of a word behind a count, by the plural rules of a language. */
export function createCount(
  language: string,
): (count: number, one: string, other: string) => string {
  let rules: Intl.PluralRules | undefined
  return (count, one, other) => {
    rules ??= new Intl.PluralRules(language)
    return `${count} ${rules.select(count) === 'one' ? one : other}`
  }
}

export const range = (min: number, max: number, to: string): string =>
  min === max ? `${min}` : `${min} ${to} ${max}`
