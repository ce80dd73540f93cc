/** `cardwire status`: shows in short whether the connector of this user runs, and what it knows. */
import { getSyncState } from '@cardwire/protocol/connector-sync'
import { getInfo } from '@cardwire/protocol/connector-system'
import { data } from '@cardwire/protocol/operation'
import { listReaders } from '@cardwire/protocol/reader'
import * as z from 'zod/mini'
import { readMachineState } from '../registry/service/machine-state.ts'
import type { CommandContext } from './command-context.ts'
import { readLiveConsents } from './consents.ts'
import { type CommandDocument, RegistryConnection } from './documents.ts'
import { printDocument, wantsJson } from './json-output.ts'
import { ApiUnavailable, callOwnApi, isLocked, readOwnApiPort } from './own-api.ts'
import { getServiceFolders } from './registry.ts'
import { describeStanding, readPersistedState } from './sync.ts'
import { dim, green, hasColours, print, red } from './terminal.ts'

type Status = CommandDocument<'status'>

/** As of programs that start and stop services (Linux Standard Base, 22.2); 4 is "unknown" there. */
const exitStatuses = { running: 0, stopped: 3, unresponsive: 4 } as const

/** How long each request may take, in milliseconds. */
const answerMs = 5000

/** Exit status 0 when it runs, 3 when it does not, 4 when it does not answer. */
export async function showStatus(machine: CommandContext): Promise<void> {
  const status: Status = {
    ...(await readStatus(machine)),
    ...(!machine.settings.offersUpdates && { updateOffers: 'off' }),
  }
  process.exitCode = exitStatuses[status.state]
  if (wantsJson()) printDocument('status', status)
  else for (const line of formatStatus(status)) print(line)
}

async function readStatus(machine: CommandContext): Promise<Status> {
  const consents = readLiveConsents(machine).length
  const ofMachine = await readMachineState(getServiceFolders(machine.settings))
  const userFacts = { consents, ...(ofMachine && { machine: ofMachine }) }
  try {
    return { ...(await readRunning(machine)), ...userFacts }
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error
    const { message: reason, remedy } = error
    const isRunning = error.isRunning || isLocked(machine.folders.runtime)
    const { dsUrl } = machine.settings
    const sync =
      dsUrl === undefined
        ? ({ standing: 'unmanaged' } as const)
        : await readPersistedState(machine, dsUrl)
    return { state: isRunning ? 'unresponsive' : 'stopped', reason, remedy, ...userFacts, sync }
  }
}

/** The part of the information for programs of this user that is shown. */
const ownInfo = data(
  z.object({
    t1CInfoAPI: z.object({
      version: z.string(),
      sandbox: z.object({ pcsc: z.enum(['up', 'down']), reason: z.optional(z.string()) }),
      registry: RegistryConnection,
    }),
  }),
)

async function readRunning({
  folders,
}: CommandContext): Promise<Omit<Status, 'consents' | 'machine'>> {
  const { t1CInfoAPI } = await callOwnApi(folders, { ...getInfo, reply: ownInfo }, answerMs)
  const { version, sandbox, registry } = t1CInfoAPI
  const { pcsc: state, reason } = sandbox
  const readers = state === 'up' ? await callOwnApi(folders, listReaders, answerMs) : []
  return {
    state: 'running',
    address: `https://localhost:${await readOwnApiPort(folders)}`,
    version,
    cardService: { state, reason },
    readers: readers.length,
    registry,
    sync: await callOwnApi(folders, getSyncState, answerMs),
  }
}

function formatStatus({ state, reason, remedy, ...status }: Status): readonly string[] {
  const colours = hasColours(process.stdout)
  const {
    address,
    version,
    cardService,
    readers = 0,
    registry,
    consents,
    sync,
    machine,
    updateOffers,
  } = status
  const first =
    state === 'running'
      ? [`${green('✓', colours)} running, version ${version}, ${address}`]
      : [
          `${red('✗', colours)} ${reason}`,
          ...(remedy === undefined ? [] : [`    ${dim('→', colours)} ${remedy}`]),
        ]
  const rows = [
    cardService && ['smart cards', formatState(cardService)],
    cardService?.state === 'up' && ['readers', String(readers)],
    registry && ['registry', formatState(registry)],
    ['allowed sites', String(consents)],
    ['organization', formatSync(sync)],
    machine && ['computer', formatSync(machine.sync)],
    updateOffers === 'off' && ['updates', 'not offered in windows (CARDWIRE_UPDATE)'],
  ]
  return [
    ...first,
    ...rows.flatMap((row) => (row ? [`  ${(row[0] ?? '').padEnd(14)}${row[1]}`] : [])),
  ]
}

const stateWords: Readonly<
  Record<NonNullable<Status['cardService'] | Status['registry']>['state'], string>
> = {
  up: 'available',
  down: 'not available',
  starting: 'starting',
  linked: 'connected',
  absent: 'not found',
  foreign: 'belongs to another user',
  taken: 'another program uses its port',
  refused: 'rejected this connector',
}

const formatState = ({
  state,
  reason,
}: NonNullable<Status['cardService'] | Status['registry']>): string =>
  reason === undefined ? stateWords[state] : `${stateWords[state]}: ${reason}`

function formatSync(state: Status['sync']): string {
  const { service, device } = state
  if (service === undefined) return 'none'
  const who = device === undefined ? 'not registered' : `device ${device}`
  return `${service}, ${who}, ${describeStanding(state)}`
}
