/** `cardwire sync`: has the running connector synchronise now, and shows how it stands with its service. */
import { type SyncState, synchronise } from '@cardwire/client/protocol'
import { openServiceState } from '../sync/state.ts'
import { openLog } from '../system/log.ts'
import type { Machine } from './machine.ts'
import { ApiSilent, askOwnApi } from './own-api.ts'
import { coloured, dim, green, print, red } from './style.ts'

/** Exit status 1 when it is not in step with its service. */
export async function sync(machine: Machine): Promise<void> {
  const { settings, folders } = machine
  const colours = coloured(process.stdout)
  if (settings.dsUrl === undefined) {
    print('This connector has no distribution service: its settings alone count.')
    return
  }
  try {
    const state = await askOwnApi(folders, synchronise)
    for (const line of linesOf(state)) print(line)
    if (state.standing === 'good') return print(`${green('✓', colours)} synchronised`)
    print(`${red('✗', colours)} not synchronised: ${state.reason ?? state.standing}`)
  } catch (error) {
    if (!(error instanceof ApiSilent)) throw error
    for (const line of linesOf(await remembered(machine, settings.dsUrl))) print(line)
    print(`${red('✗', colours)} ${error.message}`)
    print(`    ${dim('→', colours)} start it: cardwire run`)
  }
  process.exitCode = 1
}

/** What there is on disk of a connector that does not run. */
async function remembered({ settings, folders }: Machine, dsUrl: string): Promise<SyncState> {
  const log = openLog(folders.logs, 'sync', { level: settings.logLevel, console: false })
  const { runtime } = folders
  const found = await openServiceState({ runtime, dsUrl, identity: undefined, log }).read()
  const { kept, policy } = found ?? {}
  return {
    service: dsUrl,
    standing: 'waiting',
    ...(kept && { device: kept.device }),
    ...(kept?.lastGood !== undefined && { lastGood: new Date(kept.lastGood).toISOString() }),
    ...(policy && { verdict: policy.verdict, origins: policy.cors.length }),
  }
}

function linesOf({ service, device, lastGood, next, verdict, origins }: SyncState): string[] {
  const rows = [
    ['service', service ?? 'none'],
    ['device', device ?? 'not registered'],
    ['last good', lastGood ?? 'never'],
    ...(next === undefined ? [] : [['next', next]]),
    ...(origins === undefined ? [] : [['allowlist', `${origins} origins`]]),
    ...(verdict ? [['verdict', textOf(verdict)]] : []),
  ]
  return rows.map(([name = '', value = '']) => `${name.padEnd(10)} ${value}`)
}

const textOf = ({ action, version, offer }: NonNullable<SyncState['verdict']>) =>
  `${action} (for ${version})${offer ? `, ${offer.version} at ${offer.url}` : ''}`
