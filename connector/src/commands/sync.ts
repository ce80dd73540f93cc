/** `cardwire sync`: makes the running connector synchronize now, and shows its state. */
import { type SyncState, synchronise } from '@cardwire/client/protocol'
import { createStateStore } from '../distribution/sync/persisted-state.ts'
import { openLog } from '../system/log.ts'
import type { CommandContext } from './command-context.ts'
import { ApiUnavailable, callOwnApi } from './own-api.ts'
import { dim, green, hasColours, print, red } from './terminal.ts'

/** Exit status 1 when it did not synchronize. */
export async function runSync(machine: CommandContext): Promise<void> {
  const { settings, folders } = machine
  const colours = hasColours(process.stdout)
  if (settings.dsUrl === undefined) {
    print('This connector has no distribution service: its settings alone count.')
    return
  }
  try {
    const state = await callOwnApi(folders, synchronise)
    for (const line of formatState(state)) print(line)
    if (state.standing === 'good') return print(`${green('✓', colours)} synchronized`)
    print(`${red('✗', colours)} not synchronized: ${state.reason ?? state.standing}`)
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error
    for (const line of formatState(await readPersistedState(machine, settings.dsUrl))) print(line)
    print(`${red('✗', colours)} ${error.message}`)
    print(`    ${dim('→', colours)} ${error.remedy}`)
  }
  process.exitCode = 1
}

/** The state on disk of a connector that does not run. */
async function readPersistedState(
  { settings, folders }: CommandContext,
  dsUrl: string,
): Promise<SyncState> {
  const log = openLog(folders.logs, 'sync', { level: settings.logLevel, console: false })
  const { runtime } = folders
  const found = await createStateStore({ runtime, dsUrl, identity: undefined, log }).load()
  const { state, policy } = found ?? {}
  return {
    service: dsUrl,
    standing: 'waiting',
    ...(state && { device: state.device }),
    ...(state?.lastGood !== undefined && { lastGood: new Date(state.lastGood).toISOString() }),
    ...(policy && { verdict: policy.verdict, origins: policy.cors.length }),
  }
}

function formatState({ service, device, lastGood, next, verdict, origins }: SyncState): string[] {
  const rows = [
    ['service', service ?? 'none'],
    ['device', device ?? 'not registered'],
    ['last good', lastGood ?? 'never'],
    ...(next === undefined ? [] : [['next', next]]),
    ...(origins === undefined ? [] : [['allowlist', `${origins} origins`]]),
    ...(verdict ? [['verdict', formatVerdict(verdict)]] : []),
  ]
  return rows.map(([name = '', value = '']) => `${name.padEnd(10)} ${value}`)
}

const formatVerdict = ({ action, version, offer }: NonNullable<SyncState['verdict']>) =>
  `${action} (for ${version})${offer ? `, ${offer.version} at ${offer.url}` : ''}`
