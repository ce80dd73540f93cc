/** The registry of the machine, managed by a service: whatever that does, the registry serves. */
import { type MachineDevice, openMachineDevice } from '../../distribution/machine-device.ts'
import type { Settings } from '../../settings.ts'
import type { ClockWatch } from '../../system/clock-watch.ts'
import { describeError } from '../../system/file-error.ts'
import type { MachineFolders } from '../../system/folders.ts'
import type { Log } from '../../system/log.ts'
import { writeMachineState } from './machine-state.ts'

/** Where the program lies, as the command line knows it. */
export interface Installation {
  readonly folder: string
  /** The file of the thread that opens keystores. */
  readonly keystoreWorker: URL
}

interface MachineContext {
  readonly settings: Settings
  readonly machine: MachineFolders
  readonly log: Log
  readonly clock: Pick<ClockWatch, 'confirm'>
  readonly installation: Installation
}

/** undefined: the settings name no service, or its key cannot be kept here. Never throws. */
export async function openManagement(context: MachineContext): Promise<MachineDevice | undefined> {
  const { settings, machine, log, clock, installation } = context
  try {
    return await openMachineDevice({
      settings,
      runtime: machine.runtime,
      log,
      installation: installation.folder,
      keystoreWorker: installation.keystoreWorker,
      clockWatch: clock,
      end: (status) => process.exit(status),
    })
  } catch (error) {
    log.error('no service manages this registry', { reason: describeError(error) })
    return undefined
  }
}

/** Begins to synchronize, and keeps the file with the state up to date. `device`: absent where no service manages it. */
export function startManagement(
  device: MachineDevice | undefined,
  { machine, log }: Pick<MachineContext, 'machine' | 'log'>,
): void {
  const write = () =>
    void writeMachineState(machine, device).catch((error) =>
      log.error('state not published', { reason: describeError(error) }),
    )
  write()
  device?.onChange(write)
  device?.start()
}
