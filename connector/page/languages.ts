/** The languages of the local page, and which of them the person reads. */
import { dutch } from './texts/dutch.ts'
import { english, type TextName, type Texts } from './texts/english.ts'
import { dutchFindings } from './texts/findings-dutch.ts'
import { englishFindings, type FindingTexts } from './texts/findings-english.ts'
import { frenchFindings } from './texts/findings-french.ts'
import { germanFindings } from './texts/findings-german.ts'
import { french } from './texts/french.ts'
import { german } from './texts/german.ts'

export interface Language {
  readonly texts: Texts
  readonly findings: FindingTexts
}

/** By ISO 639. */
export const languages: Readonly<Record<string, Language>> = {
  en: { texts: english, findings: englishFindings },
  nl: { texts: dutch, findings: dutchFindings },
  fr: { texts: french, findings: frenchFindings },
  de: { texts: german, findings: germanFindings },
}

/** The first of these tags, such as `nl-BE`, that there is; English when there is none. */
export const chooseLanguage = (tags: readonly string[]): string =>
  tags
    .map((tag) => tag.split('-')[0]?.toLowerCase() ?? '')
    .find((tag) => Object.hasOwn(languages, tag)) ?? 'en'

export type Values = Readonly<Record<string, string | number>>

/** Puts values into the places in braces. */
export const fill = (text: string, values: Values = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))

export interface Words {
  readonly tag: string
  say(name: TextName, values?: Values): string
  /** A time as people of this language write it. */
  formatTime(at: number): string
  readonly findings: FindingTexts
}

/** `locales`: what the person reads and how times are written there, such as `en-GB`. */
export function createWords(locales: readonly string[]): Words {
  const tag = chooseLanguage(locales)
  const { texts, findings } = languages[tag] ?? { texts: english, findings: englishFindings }
  const locale = locales.find((each) => each.toLowerCase().startsWith(`${tag}-`)) ?? tag
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return {
    tag,
    say: (name, values) => fill(texts[name], values),
    formatTime: (at) => format.format(at),
    findings,
  }
}
