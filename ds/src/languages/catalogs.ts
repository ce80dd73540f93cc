/** The languages of the admin console and of the download page. */
import { de } from './de/catalog.ts'
import { en, type Texts } from './en/catalog.ts'
import { fr } from './fr/catalog.ts'
import { nl } from './nl/catalog.ts'

/** By ISO 639. */
export const catalogs = { en, nl, fr, de } satisfies Readonly<Record<string, Texts>>
export type Language = keyof typeof catalogs

export const languages = Object.keys(catalogs) as Language[]

/** Each as it is called in itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  nl: 'Nederlands',
  fr: 'Français',
  de: 'Deutsch',
}
