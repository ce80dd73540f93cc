/** The languages of the administration. */
import { en, type Texts } from './en/catalog.ts'

/** By ISO 639. */
export const catalogs = { en } satisfies Readonly<Record<string, Texts>>
export type Language = keyof typeof catalogs

/** Each as it is called in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English' }

export const languages = Object.keys(catalogs) as Language[]
