/** The types of files that origins have: folders that the user chose, which end with the consent that they are kept with, and folders of the administrator. */
import type { Database } from 'bun:sqlite'
import type { CardFolder } from '@cardwire/protocol/card-settings'
import { changeForGood } from '../../system/state/revision.ts'
import type { ActiveConsents } from './active-consents.ts'

/** A type of an origin, and its folder. */
export interface OriginFileType {
  readonly origin: string
  readonly entity: string
  readonly type: string
  /** Absolute. */
  readonly path: string
  /** The administrator has given it: nobody else changes it. */
  readonly isManaged: boolean
}

export interface FileTypes {
  /** Those of an origin, by entity and name. */
  list(origin: string): readonly OriginFileType[]
  find(origin: string, entity: string, type: string): OriginFileType | undefined
  /**
   * What the user has chosen for the origin of this consent, in the place of what was chosen before. Is on disk when this
   * returns; nothing is kept with a consent that has ended.
   */
  save(consentId: string, type: ChosenFolder): void
  /** Ends what the user has chosen; false: there was no such type. */
  remove(origin: string, entity: string, type: string): boolean
}

/** A folder that the user has chosen for a type. */
export type ChosenFolder = Pick<OriginFileType, 'entity' | 'type' | 'path'>

type Row = ChosenFolder & { readonly id: string }

const ofOrigin =
  'FROM file_types JOIN consents ON consent_id = id WHERE ended_at IS NULL AND origin = ?'

export function createFileTypes(
  database: Database,
  activeConsents: Pick<ActiveConsents, 'find' | 'isActive'>,
  managedFolders: () => readonly CardFolder[],
): FileTypes {
  const select = database.query<Row, [string]>(
    `SELECT consents.id, entity, type, path ${ofOrigin} ORDER BY issued_at`,
  )
  const insert = database.query(
    'INSERT INTO file_types (consent_id, entity, type, path) VALUES ($id, $entity, $type, $path)',
  )
  const remove = database.query(
    'DELETE FROM file_types WHERE entity = $entity AND type = $type AND consent_id IN (SELECT id FROM consents WHERE origin = $origin)',
  )
  const list = (origin: string): readonly OriginFileType[] => {
    const chosen = select.all(origin).filter(({ id }) => activeConsents.isActive(id))
    const found = new Map<string, OriginFileType>()
    const add = ({ entity, type, path }: ChosenFolder, isManaged: boolean) =>
      found.set(`${entity}/${type}`, { origin, entity, type, path, isManaged })
    for (const row of chosen) add(row, false)
    for (const folder of managedFolders()) if (folder.origin === origin) add(folder, true)
    return [...found.keys()].toSorted().flatMap((key) => found.get(key) ?? [])
  }
  return {
    list,
    find: (origin, entity, type) =>
      list(origin).find((one) => one.entity === entity && one.type === type),
    save(consentId, { entity, type, path }) {
      const origin = activeConsents.find(consentId)?.origin
      if (origin === undefined) return
      changeForGood(database, () => {
        remove.run({ origin, entity, type })
        insert.run({ id: consentId, entity, type, path })
        return 1
      })
    },
    remove: (origin, entity, type) =>
      changeForGood(database, () => remove.run({ origin, entity, type }).changes) > 0,
  }
}

/** What the users chose for an origin, of consents that have not ended. */
export const listFileFolders = (database: Database, origin: string): readonly ChosenFolder[] =>
  database
    .query<Row, [string]>(
      `SELECT DISTINCT consents.id, entity, type, path ${ofOrigin} ORDER BY entity, type`,
    )
    .all(origin)
    .map(({ entity, type, path }) => ({ entity, type, path }))

/** Ends all that a user has chosen for an origin, or one type; its consents stay. Returns how many. */
export function revokeFileTypes(
  database: Database,
  origin: string,
  only?: { readonly entity: string; readonly type: string },
): number {
  const remove = database.query(
    'DELETE FROM file_types WHERE consent_id IN (SELECT id FROM consents WHERE origin = $origin) AND ($entity IS NULL OR (entity = $entity AND type = $type))',
  )
  const { entity = null, type = null } = only ?? {}
  return changeForGood(database, () => remove.run({ origin, entity, type }).changes)
}
