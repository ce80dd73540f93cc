/** The texts of the page in the language of the user, and times as they are written there. */
import { catalogs, chooseLanguage, nameCard } from '../src/languages/catalogs.ts'
import type { Catalog } from '../src/languages/en/catalog.ts'
import type { FindingCode } from '../src/languages/finding-codes.ts'

export interface Words {
  readonly tag: string
  readonly texts: Catalog['page']
  readonly findings: Readonly<Record<FindingCode, string>>
  readonly remedies: Readonly<Partial<Record<FindingCode, string>>>
  /** What the user calls the cards of a module. */
  nameCard(module: string): string
  /** A time as people of this language write it. */
  formatTime(at: number): string
}

/** The texts without values. */
export type TextName = {
  [Name in keyof Catalog['page']]: Catalog['page'][Name] extends string ? Name : never
}[keyof Catalog['page']]

/** `locales`: what the user reads and how times are written there, such as `en-GB`. */
export function createWords(locales: readonly string[]): Words {
  const tag = chooseLanguage(...locales)
  const { page: texts, dialogs, findings, remedies } = catalogs[tag]
  const locale = locales.find((each) => each.toLowerCase().startsWith(`${tag}-`)) ?? tag
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return {
    ...{ tag, texts, findings, remedies },
    nameCard: (module) => nameCard(dialogs, module, module),
    formatTime: (at) => format.format(at),
  }
}
