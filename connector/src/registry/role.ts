/** What a process does that a person or the system has started as the registry. */
import { openCertificates } from '../certs/open-certificates.ts'
import type { Settings } from '../settings.ts'
import { type Folders, machineFoldersOf } from '../system/folders.ts'
import { openLog } from '../system/log.ts'
import { runRegistry } from './run.ts'
import { publishCertificates } from './service/publish.ts'

/** Ends with the process. `service`: for every user of the machine, with certificates of its own. */
export async function runRegistryRole(
  { settings, folders }: { readonly settings: Settings; readonly folders: Folders },
  { service }: { readonly service: boolean },
): Promise<void> {
  const machine = machineFoldersOf(process.platform, process.env, settings.machineDir)
  const { logs, certificates } = service ? machine : folders
  const log = openLog(logs, 'registry', { level: settings.logLevel, console: true })
  process.once('SIGINT', () => process.exit(0))
  process.once('SIGTERM', () => process.exit(0))
  try {
    await runRegistry({
      settings,
      log,
      certificates: openCertificates(
        settings,
        { certificates },
        log,
        service ? { scope: 'machine' } : {},
      ),
      publish: () => (service ? publishCertificates(machine) : Promise.resolve()),
      waits: true,
    })
  } catch (error) {
    log.error('cannot start', { reason: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}
