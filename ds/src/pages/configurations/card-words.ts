/** What pages may do with cards, in words: each entry is one line, so that a comparison shows which ones changed. */
import type { Grant, Platform } from '@cardwire/protocol'
import { readTexts } from '../frame/texts.ts'
import type { toCards } from './card-rows.ts'

type Cards = ReturnType<typeof toCards>

const toLine = (parts: readonly (string | false)[]) => {
  const [first = '', ...others] = parts
    .filter((part) => part !== false)
    .filter((part) => part !== '')
  return others.reduce(readTexts().configurations.edit.after, first)
}
const name = (label: string, value: string) => readTexts().frame.field(label, value)

/** A line for each grant. */
export function describeGrants(grants: Cards['grants']): string {
  const texts = readTexts().configurations.cards.grants
  const lines = grants.map(({ origin, allow, aids = [] }) =>
    toLine([
      origin,
      // A form may send others, which are refused.
      ...allow.map((one) => texts.allow[one as Grant] ?? one),
      aids.length > 0 && name(texts.aids, aids.join(', ')),
    ]),
  )
  return lines.join('\n')
}

/** A line for each PKCS #11 library. */
export function describeLibraries(libraries: Cards['libraries']): string {
  const texts = readTexts().configurations.cards.libraries
  const lines = libraries.map(({ os, path, sha256, atrs, ownReaders }) =>
    toLine([
      name(readTexts().systems[os as Platform] ?? os, path),
      name(texts.hash, sha256),
      name(texts.atrs, atrs.join(', ')),
      ownReaders === true && texts.ownReaders,
    ]),
  )
  return lines.join('\n')
}

/** A line for each folder. */
export function describeFolders(folders: Cards['folders']): string {
  const texts = readTexts().configurations.cards.folders
  const lines = folders.map(({ origin, entity, type, path }) =>
    toLine([origin, name(texts.entity, entity), name(texts.type, type), name(texts.path, path)]),
  )
  return lines.join('\n')
}
