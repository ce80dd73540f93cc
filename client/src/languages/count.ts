/** A count with the form of the word that follows it, by the plural rules of a language (Unicode CLDR). */
export function createCount(
  language: string,
): (count: number, one: string, other: string) => string {
  let rules: Intl.PluralRules | undefined
  return (count, one, other) => {
    rules ??= new Intl.PluralRules(language)
    return `${count} ${rules.select(count) === 'one' ? one : other}`
  }
}
