/** The registry as a process of its own, started by a user or as a service of the machine. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openCertificates } from '../certificates/open-certificates.ts'
import type { Settings } from '../settings.ts'
import { clockFileName, keepWatching, openClockWatch } from '../system/clock-watch.ts'
import { describeError } from '../system/file-error.ts'
import { type Folders, getMachineFolders } from '../system/folders.ts'
import { openLog } from '../system/log.ts'
import { runRegistry } from './run-registry.ts'
import { type Installation, openManagement, startManagement } from './service/managed.ts'
import { publishCertificates } from './service/publish.ts'

/**
 * Runs until the process ends; exit status 1 when it cannot start, also where another program has the port. `service`: for every
 * user of the machine, with certificates of its own; it waits for the port, as registries of users make room for it.
 */
export async function runStandaloneRegistry(
  { settings, folders }: { readonly settings: Settings; readonly folders: Folders },
  { service, installation }: { readonly service: boolean; readonly installation: Installation },
): Promise<void> {
  // Child processes must not get it.
  delete process.env['CARDWIRE_INSTALLATION_KEY']
  const machine = getMachineFolders(process.platform, process.env, settings.machineDir)
  const { logs, certificates } = service ? machine : folders
  const log = openLog(logs, 'registry', { level: settings.logLevel, console: true })
  process.once('SIGINT', () => process.exit(0))
  process.once('SIGTERM', () => process.exit(0))
  try {
    const state = service ? machine.base : folders.runtime
    mkdirSync(state, { recursive: true, mode: service ? 0o755 : 0o700 })
    const clock = openClockWatch({ path: join(state, clockFileName), log })
    keepWatching(clock)
    const context = { settings, machine, log, clock, installation }
    // A registry of a user serves that user alone: no service manages it.
    const device = service ? await openManagement(context) : undefined
    const conflict = await runRegistry({
      onClockChange: clock.onChange,
      settings,
      service,
      log,
      keystore: device?.keystore,
      ...(device && { onOrigins: device.onOrigins }),
      certificates: openCertificates(settings, { certificates }, log, {
        ...(service && { scope: 'machine' }),
        isClockTrusted: clock.isTrusted,
      }),
      publish: () => (service ? publishCertificates(machine) : Promise.resolve()),
      waitForPort: service,
    })
    if (conflict !== undefined) throw new Error(conflict)
    if (service) startManagement(device, context)
  } catch (error) {
    log.error('cannot start', { reason: describeError(error) })
    process.exit(1)
  }
}
