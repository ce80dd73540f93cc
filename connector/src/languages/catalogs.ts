/** The languages that we have, and which of them a user reads. */
import { de } from './de/catalog.ts'
import { type Catalog, en } from './en/catalog.ts'
import { fr } from './fr/catalog.ts'
import { nl } from './nl/catalog.ts'

/** By ISO 639. */
export const catalogs = { en, nl, fr, de } satisfies Readonly<Record<string, Catalog>>
export type Language = keyof typeof catalogs

/** The first of these tags of BCP 47, such as `nl-BE`, that we have; English when there is none. */
export const chooseLanguage = (...tags: readonly (string | undefined)[]): Language =>
  tags
    .map((tag) => tag?.toLowerCase().split(/[-_]/)[0] ?? '')
    .find((tag): tag is Language => Object.hasOwn(catalogs, tag)) ?? 'en'

/** The texts in the first of these languages that we have. */
export const findCatalog = (...tags: readonly (string | undefined)[]): Catalog =>
  catalogs[chooseLanguage(...tags)]

/** What a user calls a card: the kind that its module is for, or `name` for a card that is only a token. */
export const nameCard = (
  { cards }: Pick<Catalog['dialogs'], 'cards'>,
  module: string | undefined,
  name: string,
): string =>
  module !== undefined && Object.hasOwn(cards, module) ? cards[module as keyof typeof cards] : name
