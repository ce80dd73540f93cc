/** The languages in which the person is asked. */

export type Language = 'en' | 'nl' | 'fr' | 'de'

/** The texts of the first language that we have; English where there is none. A language is a tag of BCP 47. */
export function findByLanguage<T>(
  texts: Readonly<Record<Language, T>>,
  ...wanted: readonly (string | undefined)[]
): T {
  const known = wanted
    .map((tag) => tag?.toLowerCase().split(/[-_]/)[0] ?? '')
    .find((language) => Object.hasOwn(texts, language))
  return texts[(known ?? 'en') as Language]
}
