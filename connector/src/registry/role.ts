/** What a process does that was started as the registry. */
import { listeningWord } from '../agent/registry-child.ts'
import type { Settings } from '../settings.ts'
import { type Folders, machineFoldersOf } from '../system/folders.ts'
import { type Log, openLog } from '../system/log.ts'
import { runRegistry } from './run.ts'
import { servedFiles } from './served-files.ts'
import { publishCertificates } from './service/publish.ts'

/** Exit status of a registry that finds its port taken and does not wait. */
const portTaken = 3

/**
 * Ends with the process. `service`: for every user of the machine, with certificates of its own. `attached`: for the
 * user whose `cardwire run` started it, and ends when that does.
 */
export async function runRegistryRole(
  { settings, folders }: { readonly settings: Settings; readonly folders: Folders },
  { service, attached }: { readonly service: boolean; readonly attached: boolean },
): Promise<void> {
  const machine = machineFoldersOf(process.platform, process.env, settings.machineDir)
  const log = openLog(service ? machine.logs : folders.logs, 'registry', {
    level: settings.logLevel,
    console: !attached,
  })
  process.once('SIGINT', () => process.exit(0))
  process.once('SIGTERM', () => process.exit(0))
  if (attached) process.stdin.resume().once('close', () => process.exit(0))
  try {
    const certificates = attached
      ? servedFiles(folders.certificates, log)
      : service
        ? await openOwn(settings, machine, log, 'machine')
        : await openOwn(settings, folders, log)
    const listens = await runRegistry({
      settings,
      log,
      certificates,
      publish: () => (service ? publishCertificates(machine) : Promise.resolve()),
      waits: !attached,
    })
    if (!listens) process.exit(portTaken)
    if (attached) process.stdout.write(`${listeningWord}\n`)
  } catch (error) {
    log.error('cannot start', { reason: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}

/** Loaded only where certificates are made: it costs as much memory as all the rest. */
async function openOwn(
  settings: Settings,
  folders: { readonly certificates: string },
  log: Log,
  scope?: 'machine',
) {
  const { openCertificates } = await import('../certs/open-certificates.ts')
  return openCertificates(settings, folders, log, scope && { scope })
}
