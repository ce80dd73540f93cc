/** What `cardwire consents` does: shows and revokes the consents of this user. */
import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { CardFolder } from '@cardwire/protocol/card-settings'
import { toPrintableLine } from '@cardwire/protocol/printable'
import { clockFileName, openClockWatch } from '../system/clock-watch.ts'
import { type Log, openLog } from '../system/log.ts'
import { isPresent } from '../system/missing-file.ts'
import { openStateDatabase, stateFileName } from '../system/state/database.ts'
import {
  type ConsentStore,
  createConsentStore,
  type StoredConsent,
} from '../user/consent/consent-store.ts'
import { listFileFolders, revokeFileTypes } from '../user/consent/file-types.ts'
import {
  listIdentityModules,
  revokeIdentityPermissions,
} from '../user/consent/identity-permissions.ts'
import type { CommandContext } from './command-context.ts'
import { printDocument, printFailure, wantsJson } from './json-output.ts'
import { readManagedFolders } from './managed-folders.ts'
import { dim, green, hasColours, print } from './terminal.ts'

interface LiveConsent extends StoredConsent {
  /** Modules whose identity data the pages of the origin may read. */
  readonly identity: readonly string[]
  /** Folders whose files they may read and write. */
  readonly folders: ReturnType<typeof listFileFolders>
}

/** The newest consent of each origin that holds one. */
export const readLiveConsents = (machine: CommandContext): readonly LiveConsent[] =>
  withConsentStore(machine, (store, database) => {
    const live = store.list().filter(({ expiresAt }) => Date.now() < expiresAt)
    const newest = new Map(live.map((consent) => [consent.origin, consent]))
    return [...newest.values()].map((consent) => ({
      ...consent,
      identity: listIdentityModules(database, consent.origin),
      folders: listFileFolders(database, consent.origin),
    }))
  }) ?? []

/** Acts on the consents that have not expired. Undefined: there is no database, so there never was a consent. Throws when it cannot be read. */
function withConsentStore<T>(
  { settings, folders }: CommandContext,
  act: (store: ConsentStore, database: Database, log: Log) => T,
): T | undefined {
  if (!isPresent(join(folders.runtime, stateFileName))) return undefined
  const log = openLog(folders.logs, 'consents', { level: settings.logLevel, console: false })
  const database = openStateDatabase(folders.runtime, log)
  try {
    const store = createConsentStore(database)
    const clock = openClockWatch({ path: join(folders.runtime, clockFileName), log })
    if (clock.isTrusted()) store.endExpired(Date.now())
    return act(store, database, log)
  } finally {
    database.close()
  }
}

export const listConsents = async (machine: CommandContext): Promise<void> =>
  list(readLiveConsents(machine), await readManagedFolders(machine))

function list(live: readonly LiveConsent[], managed: readonly CardFolder[]): void {
  const findManaged = (of: string) => managed.filter(({ origin }) => origin === of)
  if (wantsJson()) {
    const consents = live.map((consent) => ({
      ...toConsentDocument(consent),
      managedFolders: findManaged(consent.origin).map(toFolderDocument),
    }))
    printDocument('consents', { consents })
    return
  }
  if (live.length === 0) {
    print('You have not allowed any sites. A site asks you when it needs a card reader.')
    return
  }
  const colours = hasColours(process.stdout)
  for (const { origin, issuedAt, expiresAt, usedAt, identity, folders } of live) {
    const times = `since ${formatMinute(issuedAt)}, until ${formatMinute(expiresAt)}, last used ${formatMinute(usedAt)}`
    print(`${origin}  ${dim(times, colours)}`)
    if (identity.length > 0)
      print(`  can read your identity data from these cards: ${identity.join(', ')}`)
    for (const { entity, type, path } of folders)
      print(`  can read and write files in ${toPrintableLine(path)} (${entity}/${type})`)
    for (const { entity, type, path } of findManaged(origin)) {
      print(`  can read and write files in ${toPrintableLine(path)} (${entity}/${type})`)
      print('    Only an administrator can change this.')
    }
  }
}

const toConsentDocument = ({
  origin,
  issuedAt,
  expiresAt,
  usedAt,
  identity,
  folders,
}: LiveConsent) => ({
  origin,
  issuedAt: new Date(issuedAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
  usedAt: new Date(usedAt).toISOString(),
  identity,
  folders,
})

const toFolderDocument = ({ entity, type, path }: CardFolder) => ({ entity, type, path })

/** Local time, as `2026-11-21 09:30`. */
const formatMinute = (at: number) =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 16)
    .replace('T', ' ')

/** Ends the consents of an origin, without one all; returns how many. The running connector notices within a second. */
export const revokeConsents = (machine: CommandContext, origin?: string): number =>
  withConsentStore(machine, (store, _, log) => {
    const count = store.revoke(Date.now(), origin)
    if (count > 0) log.info('consents revoked', { origin: origin ?? 'every origin', count })
    return count
  }) ?? 0

/** Ends what pages of an origin may read about the holders of cards; its consent stays. */
export const revokeIdentity = (machine: CommandContext, origin: string): number =>
  withConsentStore(machine, (_, database, log) => {
    const count = revokeIdentityPermissions(database, origin)
    if (count > 0) log.info('identity permissions revoked', { origin, count })
    return count
  }) ?? 0

/** Ends the folders that a user has chosen for an origin; its consent stays. */
export const revokeFolders = (machine: CommandContext, origin: string): number =>
  withConsentStore(machine, (_, database, log) => {
    const count = revokeFileTypes(database, origin)
    if (count > 0) log.info('folders revoked', { origin, count })
    return count
  }) ?? 0

/** Exit status 1 when there was nothing to revoke, 2 when no origin was named. */
export function revokeOriginFolders(machine: CommandContext, named: string | undefined): void {
  const origin = parseOrigin(named ?? '')
  if (origin === undefined) {
    printFailure('Cannot revoke: name one site, such as https://shop.example', 2)
    return
  }
  const ended = revokeFolders(machine, origin)
  if (wantsJson()) {
    printDocument('consents revoke', { revoked: ended })
    process.exitCode = ended > 0 ? 0 : 1
  } else if (ended > 0)
    print(`${green('✓', hasColours(process.stdout))} ${origin} can no longer use your folders`)
  else printFailure(`Cannot revoke: you have not chosen a folder for ${origin}`, 1)
}

/** Exit status 1 when there was nothing to revoke, 2 when no origin was named. */
export function revoke(machine: CommandContext, named: string | undefined, all: boolean): void {
  if ((named === undefined) === !all) {
    printFailure('Cannot revoke: name one site, such as https://shop.example, or use --all', 2)
    return
  }
  const origin = named === undefined ? undefined : parseOrigin(named)
  if (named !== undefined && origin === undefined) {
    printFailure(`Cannot revoke "${named}": expected an origin, such as https://shop.example`, 2)
    return
  }
  const ended = revokeConsents(machine, origin)
  if (wantsJson()) {
    printDocument('consents revoke', { revoked: ended })
    process.exitCode = ended > 0 ? 0 : 1
  } else if (ended > 0)
    print(`${green('✓', hasColours(process.stdout))} ${formatRevoked(origin, ended)}`)
  else
    printFailure(
      origin === undefined
        ? 'Cannot revoke: you have not allowed any sites'
        : `Cannot revoke: you have not allowed ${origin}; "cardwire consents" lists the sites that you have allowed`,
      1,
    )
}

const formatRevoked = (origin: string | undefined, ended: number) =>
  origin === undefined
    ? `${ended} ${ended === 1 ? 'consent' : 'consents'} revoked`
    : `access revoked for ${origin}`

/** Parses an origin as browsers write it; of an address, the origin of its page. */
function parseOrigin(text: string): string | undefined {
  // A name without scheme, such as shop.example:443, would be an address of the scheme "shop.example".
  if (!/^[a-z][a-z0-9+.-]*:\/\/./i.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, host } = new URL(text)
  // Pages of other schemes, such as those of extensions, have an origin too, which URL does not tell.
  return origin === 'null' ? `${protocol}//${host}` : origin
}
