/** `cardwire sync`: makes the running connector synchronize now, and shows its state. */
import { join } from 'node:path'
import { type SyncState, synchronise } from '@cardwire/protocol/connector-sync'
import { createStateStore } from '../distribution/sync/persisted-state.ts'
import { toPolicyStatus } from '../distribution/sync/policy-term.ts'
import { clockFileName, judgeClock } from '../system/clock-watch.ts'
import { openLog } from '../system/log.ts'
import type { CommandContext } from './command-context.ts'
import { printDocument, wantsJson } from './json-output.ts'
import { ApiUnavailable, callOwnApi } from './own-api.ts'
import { toPolicyFinding } from './policy-report.ts'
import { dim, green, hasColours, print, red, yellow } from './terminal.ts'

/** Exit status 1 when it did not synchronize. */
export async function runSync(machine: CommandContext): Promise<void> {
  const { settings, folders } = machine
  const colours = hasColours(process.stdout)
  if (settings.dsUrl === undefined) {
    if (wantsJson()) return printDocument('sync', { standing: 'unmanaged', synchronized: false })
    print('This connector has no distribution service, so only its settings apply.')
    return
  }
  try {
    const state = await callOwnApi(folders, synchronise)
    const synchronized = state.standing === 'good'
    process.exitCode = synchronized ? 0 : 1
    if (wantsJson()) return printDocument('sync', { ...state, synchronized })
    for (const line of formatState(state)) print(line)
    printPolicyFinding(state, colours)
    if (synchronized) return print(`${green('✓', colours)} synced`)
    print(`${red('✗', colours)} not synced: ${state.reason ?? state.standing}`)
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error
    const { message: reason, remedy } = error
    process.exitCode = 1
    const state = await readPersistedState(machine, settings.dsUrl)
    if (wantsJson()) return printDocument('sync', { ...state, reason, remedy, synchronized: false })
    for (const line of formatState(state)) print(line)
    printPolicyFinding(state, colours)
    print(`${red('✗', colours)} ${reason}`)
    print(`    ${dim('→', colours)} ${remedy}`)
  }
}

function printPolicyFinding({ policy }: SyncState, colours: boolean): void {
  const finding = policy && toPolicyFinding(policy)
  if (finding === undefined) return
  print(`${finding.level === 'bad' ? red('✗', colours) : yellow('!', colours)} ${finding.what}`)
  print(`    ${dim('→', colours)} ${finding.remedy}`)
}

/** The state on disk of a connector that does not run. */
export async function readPersistedState(
  { settings, folders }: Pick<CommandContext, 'settings' | 'folders'>,
  dsUrl: string,
): Promise<SyncState> {
  const log = openLog(folders.logs, 'sync', { level: settings.logLevel, console: false })
  const { runtime } = folders
  const found = await createStateStore({ runtime, dsUrl, identity: undefined, log }).load()
  const { state, policy, term } = found ?? {}
  const clock = judgeClock(join(runtime, clockFileName), Date.now())
  return {
    service: dsUrl,
    standing: 'waiting',
    ...(state && { device: state.device }),
    ...(state?.lastGood !== undefined && { lastGood: new Date(state.lastGood).toISOString() }),
    ...(policy && { verdict: policy.verdict, origins: policy.cors.length }),
    ...(term && { policy: toPolicyStatus(term, clock, state?.offsetMs ?? 0) }),
  }
}

/** The state as lines of name and value. */
export function formatState(state: SyncState): string[] {
  const { service, device, lastGood, next, verdict, origins, policy } = state
  const rows = [
    ['service', service ?? 'none'],
    ['device', device ?? 'not registered'],
    ['last sync', lastGood ?? 'never'],
    ...(next === undefined ? [] : [['next sync', next]]),
    ...(policy ? [['valid until', policy.until]] : []),
    ...(origins === undefined
      ? []
      : [['allowlist', `${origins} ${origins === 1 ? 'origin' : 'origins'}`]]),
    ...(verdict ? [['version', formatVerdict(verdict)]] : []),
  ]
  return rows.map(([name = '', value = '']) => `${name.padEnd(11)} ${value}`)
}

const verdictWords = {
  none: 'up to date',
  recommend: 'update suggested',
  require: 'update required',
  stop: 'blocked',
} as const

const formatVerdict = ({ action, version, offer }: NonNullable<SyncState['verdict']>) =>
  `${version}, ${verdictWords[action]}${offer ? `: ${offer.version} at ${offer.url}` : ''}`

/** The result of the last attempt to register or sync, and why it failed. */
export function describeStanding({ standing, device, lastGood, reason }: SyncState): string {
  const words = {
    unmanaged: 'no distribution service',
    waiting: lastGood === undefined ? 'not synced yet' : `last synced at ${lastGood}`,
    good: 'in sync',
    unreachable: 'distribution service unreachable',
    refused: device === undefined ? 'registration rejected' : 'last sync rejected',
  } as const
  return `${words[standing]}${reason === undefined ? '' : `: ${reason}`}`
}
