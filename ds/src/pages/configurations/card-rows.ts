/** What pages may do with cards (docs/card-settings.md), as rows of a form: those that are empty are left out. */
import type { CardSettings } from '@cardwire/protocol'
import type { Form } from '../frame/form.ts'
import { splitLines } from './draft.ts'

export interface GrantRow {
  readonly origin: string
  readonly allow: readonly string[]
  /** With spaces or lines between. */
  readonly aids: string
}
export interface LibraryRow {
  readonly os: string
  readonly path: string
  readonly sha256: string
  /** With spaces or lines between. */
  readonly atrs: string
  readonly ownReaders: boolean
}
export interface FolderRow {
  readonly origin: string
  readonly entity: string
  readonly type: string
  readonly path: string
}
export interface CardRows {
  readonly grants: readonly GrantRow[]
  readonly libraries: readonly LibraryRow[]
  readonly folders: readonly FolderRow[]
}

/** More than any list may have. */
const maxRows = 500

const readRows = <R>(form: Form, mark: (at: number) => string, read: (at: number) => R): R[] => {
  const rows: R[] = []
  for (let at = 0; at < maxRows && form.has(mark(at)); at += 1) rows.push(read(at))
  return rows
}

export const readCardRows = (form: Form): CardRows => ({
  grants: readRows(
    form,
    (at) => `grant-${at}-origin`,
    (at) => ({
      origin: form.text(`grant-${at}-origin`),
      allow: form.texts(`grant-${at}-allow`),
      aids: form.text(`grant-${at}-aids`),
    }),
  ).filter(({ origin, allow, aids }) => origin + aids !== '' || allow.length > 0),
  libraries: readRows(
    form,
    (at) => `library-${at}-path`,
    (at) => ({
      os: form.text(`library-${at}-os`),
      path: form.text(`library-${at}-path`),
      sha256: form.text(`library-${at}-sha256`),
      atrs: form.text(`library-${at}-atrs`),
      ownReaders: form.has(`library-${at}-ownReaders`),
    }),
  ).filter(({ path, sha256, atrs }) => path + sha256 + atrs !== ''),
  folders: readRows(
    form,
    (at) => `folder-${at}-path`,
    (at) => ({
      origin: form.text(`folder-${at}-origin`),
      entity: form.text(`folder-${at}-entity`),
      type: form.text(`folder-${at}-type`),
      path: form.text(`folder-${at}-path`),
    }),
  ).filter(({ origin, entity, type, path }) => origin + entity + type + path !== ''),
})

export const toCardRows = (cards: CardSettings | undefined): CardRows => ({
  grants: (cards?.grants ?? []).map(({ aids = [], ...grant }) => ({
    ...grant,
    aids: aids.join('\n'),
  })),
  libraries: (cards?.libraries ?? []).map(({ atrs, ownReaders, ...library }) => ({
    ...library,
    atrs: atrs.join('\n'),
    ownReaders: ownReaders === true,
  })),
  folders: cards?.folders ?? [],
})

export const toCards = ({ grants, libraries, folders }: CardRows) => ({
  grants: grants.map(({ aids, ...grant }) => ({
    ...grant,
    ...(aids !== '' && { aids: splitHex(aids) }),
  })),
  libraries: libraries.map(({ atrs, ownReaders, ...library }) => ({
    ...library,
    atrs: splitHex(atrs),
    ...(ownReaders && { ownReaders }),
  })),
  folders,
})

const splitHex = (text: string) => splitLines(text.replaceAll(/[\s,]+/g, '\n'))

export const isEmpty = ({ grants, libraries, folders }: CardRows): boolean =>
  grants.length + libraries.length + folders.length === 0

/** The fields of the form that has them. */
export const toTypedCards = ({
  grants,
  libraries,
  folders,
}: CardRows): (readonly [string, string])[] => [
  ...grants.flatMap(({ origin, allow, aids }, at) => [
    [`grant-${at}-origin`, origin] as const,
    ...allow.map((grant) => [`grant-${at}-allow`, grant] as const),
    [`grant-${at}-aids`, aids] as const,
  ]),
  ...libraries.flatMap(({ ownReaders, ...library }, at) => [
    ...Object.entries(library).map(([name, value]) => [`library-${at}-${name}`, value] as const),
    ...(ownReaders ? [[`library-${at}-ownReaders`, 'yes'] as const] : []),
  ]),
  ...folders.flatMap((folder, at) =>
    Object.entries(folder).map(([name, value]) => [`folder-${at}-${name}`, value] as const),
  ),
]
