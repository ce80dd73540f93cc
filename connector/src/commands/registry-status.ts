/** `cardwire registry status`: shows the last sync of the computer's registry with the distribution service. */
import { type MachineState, readMachineState } from '../registry/service/machine-state.ts'
import type { MachineFolders } from '../system/folders.ts'
import { printDocument, wantsJson } from './json-output.ts'
import { describeStanding, formatState } from './sync.ts'
import { print } from './terminal.ts'

/** Every account may ask. Exit status 1 when a service manages it, and it has not synchronized. */
export async function showRegistryStatus(folders: Pick<MachineFolders, 'state'>): Promise<void> {
  const state = await readMachineState(folders)
  process.exitCode = state === undefined || state.sync.standing === 'good' ? 0 : 1
  if (wantsJson()) {
    printDocument('registry status', { managed: state !== undefined, ...state })
    return
  }
  if (state === undefined) print('No distribution service manages the registry of this computer.')
  else for (const line of formatMachineState(state)) print(line)
}

function formatMachineState({ sync, keystore, faults }: MachineState): readonly string[] {
  const rows = [
    ['status', describeStanding(sync)],
    ['keystore', keystore ? `${keystore.names.join(', ')}, until ${keystore.until}` : 'none'],
    ...faults.map(({ kind, detail }) => ['error', `${kind}: ${detail}`]),
  ]
  return [...formatState(sync), ...rows.map(([name = '', value]) => `${name.padEnd(11)} ${value}`)]
}
