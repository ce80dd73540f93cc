/** The documents for administrators that the service shows. Nothing else of the repository has a name here. */

export const documentNames = [
  'install',
  'deploy',
  'settings',
  'connector-settings',
  'card-settings',
  'browser-policies',
  'cards',
] as const

export type DocumentName = (typeof documentNames)[number]

/** A name from outside; undefined: there is no such document. */
export const findDocumentName = (name: string | undefined): DocumentName | undefined =>
  documentNames.find((known) => known === name)
