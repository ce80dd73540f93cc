/** The card settings, with the grants of each origin: the distribution service of a managed connector, else a file of settings. */
import { realpath } from 'node:fs/promises'
import { type CardFolder, CardSettings, type Grant } from '@cardwire/protocol/card-settings'
import * as z from 'zod/mini'
import type { NamedLibrary } from '../../sandbox/readers/library-tokens.ts'
import { readSmallFile } from '../../small-file.ts'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import { findWritablePlace, root } from '../../system/protected-path.ts'

/** The applications that pages of this origin may select with the grant `raw`, as upper-case hex. */
export type GrantedAids = (origin: string) => readonly string[]

export type HasGrant = (origin: string, grant: Grant) => boolean

/** Words that can change while the connector runs. */
export interface CardSettingsSource {
  current(): CardSettings
  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

export interface Grants {
  readonly hasGrant: HasGrant
  /** The folders that pages have from the administrator. */
  readonly folders: () => readonly CardFolder[]
  /** For all systems. */
  readonly libraries: () => readonly NamedLibrary[]
  readonly grantedAids: GrantedAids
  /** Calls back when a grant may have ended. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

export interface GrantOptions {
  /** The file of settings. */
  readonly path: string | undefined
  /** undefined: no distribution service manages this connector. */
  readonly managed: CardSettingsSource | undefined
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** Bytes; two hundred origins are 30 kB. */
const maxBytes = 262_144

/**
 * A managed connector has what its service says, and before a first synchronization nothing: a file of this account adds
 * nothing to it. Throws when the file of another one cannot be used: a grant that is left out would be one that nobody
 * notices.
 */
export async function openGrants({ path, managed, log }: GrantOptions): Promise<Grants> {
  if (managed && path !== undefined) {
    log.warn('CARDWIRE_CARDS is not read: the distribution service says what pages may do', {
      path,
    })
  }
  const { current, onChange } = managed ?? (await openFile(path))
  const isNamedByRoot = !managed && path !== undefined && (await isOfRoot(path))
  const logCounts = () => {
    const { grants, libraries, folders } = current()
    const counts = { grants: grants.length, libraries: libraries.length, folders: folders.length }
    log.info('settings for cards', counts)
  }
  if (path !== undefined || managed) logCounts()
  onChange(logCounts)
  return {
    hasGrant: (origin, grant) =>
      current().grants.some((one) => one.origin === origin && one.allow.includes(grant)),
    folders: () => current().folders,
    libraries: () => current().libraries.map((library) => ({ ...library, isNamedByRoot })),
    grantedAids: (origin) =>
      current().grants.flatMap(({ origin: of, allow, aids = [] }) =>
        of === origin && allow.includes('raw') ? aids : [],
      ),
    onChange,
  }
}

async function openFile(path: string | undefined): Promise<CardSettingsSource> {
  const settings = path === undefined ? noSettings : await readCardSettings(path)
  return { current: () => settings, onChange: () => () => undefined }
}

/** Whether only root can change the file, or put another in its place. */
const isOfRoot = async (path: string) =>
  findWritablePlace(await realpath(path), [root]) === undefined

const noSettings: CardSettings = { grants: [], libraries: [], folders: [] }

/** Throws an error that names the file, and the first field that cannot be used. */
export async function readCardSettings(path: string): Promise<CardSettings> {
  const uid = process.getuid?.()
  try {
    // Of this user or the administrator, so that no other account grants itself anything.
    const owners = uid === undefined ? undefined : [uid, 0]
    // A mode says nothing where there are no user ids.
    const text = await readSmallFile(path, maxBytes, owners, owners ? 'owner' : 'anyone')
    return parseFile(JSON.parse(text))
  } catch (error) {
    throw new Error(`Cannot read CARDWIRE_CARDS, "${path}": ${errorText(error)}`)
  }
}

/** Throws an error that names the first field that cannot be used. */
function parseFile(content: unknown): CardSettings {
  const result = z.safeParse(CardSettings, content)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Error(`${issue?.path.join('.') || 'the whole'}: ${issue?.message}`)
}
