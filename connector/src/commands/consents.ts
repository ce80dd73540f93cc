/** `cardwire consents`: which origins the person lets in, shown and taken back. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { type ConsentStore, consentStore, type GivenConsent } from '../consent/store.ts'
import { openState, stateFile } from '../state/database.ts'
import { openLog } from '../system/log.ts'
import type { Machine, WithSettings } from './machine.ts'
import { coloured, dim, green, print, red } from './style.ts'

export function consentsCommand(withSettings: WithSettings): Command {
  const consents = new Command('consents').description(
    'the origins whose pages may use the readers of this user',
  )
  withSettings(consents, async (machine) => list(liveOf(machine)))
  withSettings(
    consents
      .command('revoke [origin]')
      .description('take the consent of an origin back; its open pages notice within a second')
      .option('--all', 'of every origin'),
    async (machine, options, [origin]) => revoke(machine, origin, options['all'] === true),
  )
  return consents
}

/** The newest consent of each origin that holds one. */
const liveOf = (machine: Machine): readonly GivenConsent[] =>
  withStore(machine, (store) => [
    ...new Map(store.all().map((given) => [given.origin, given])).values(),
  ]) ?? []

/** Acts on what has not expired. undefined: there is no database, so nobody was ever let in; looking makes none. */
function withStore<T>(
  { settings, folders }: Machine,
  act: (store: ConsentStore) => T,
): T | undefined {
  if (!existsSync(join(folders.runtime, stateFile))) return undefined
  const log = openLog(folders.logs, 'consents', { level: settings.logLevel, console: false })
  const database = openState(folders.runtime, log)
  try {
    const store = consentStore(database)
    store.endExpired(Date.now())
    return act(store)
  } finally {
    database.close()
  }
}

function list(live: readonly GivenConsent[]): void {
  if (live.length === 0) {
    print('No origin has a consent. A page asks for one with a code word that it puts on the')
    print('clipboard.')
    return
  }
  const colours = coloured(process.stdout)
  for (const { origin, issuedAt, expiresAt, usedAt } of live) {
    const times = `since ${minute(issuedAt)}, until ${minute(expiresAt)}, last used ${minute(usedAt)}`
    print(`${origin}  ${dim(times, colours)}`)
  }
}

/** Local time, as `2026-11-21 09:30`. */
const minute = (at: number) =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 16)
    .replace('T', ' ')

/** Exit status 1 when there was nothing to take back, 2 when it was not said what. */
function revoke(machine: Machine, named: string | undefined, all: boolean): void {
  if ((named === undefined) === !all) {
    fail('Cannot revoke: name one origin, such as https://shop.example, or say --all', 2)
    return
  }
  const origin = named === undefined ? undefined : originOf(named)
  if (named !== undefined && origin === undefined) {
    fail(`Cannot revoke "${named}": it is no origin; expected one such as https://shop.example`, 2)
    return
  }
  const ended = withStore(machine, (store) => store.revoke(Date.now(), origin)) ?? 0
  const whose = origin ?? 'any origin'
  if (ended > 0) print(`${green('✓', coloured(process.stdout))} ${revoked(origin, ended)}`)
  else fail(`Cannot revoke: ${whose} has no consent; "cardwire consents" shows who has`, 1)
}

const revoked = (origin: string | undefined, ended: number) =>
  origin === undefined
    ? `${ended} ${ended === 1 ? 'consent' : 'consents'} revoked`
    : `${origin} has to ask again`

/** As a browser spells it; of an address, the origin of its page. */
function originOf(text: string): string | undefined {
  // A name without scheme, such as shop.example:443, would be an address of the scheme "shop.example".
  if (!/^[a-z][a-z0-9+.-]*:\/\/./i.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, host } = new URL(text)
  // Pages of other schemes, such as those of extensions, have an origin too, which URL does not tell.
  return origin === 'null' ? `${protocol}//${host}` : origin
}

function fail(sentence: string, status: number): void {
  process.stderr.write(`${red(sentence, coloured(process.stderr))}\n`)
  process.exitCode = status
}
