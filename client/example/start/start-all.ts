/** Starts everything, one program after the other. */
import process from 'node:process'
import { type Administration, withAdministrator } from './administrator.ts'
import { startBackEnd } from './back-end.ts'
import { formatBanner } from './banner.ts'
import { build } from './build.ts'
import {
  getRootFile,
  hasReaders,
  isRootTrusted,
  prepareCardFile,
  startConnector,
} from './connector.ts'
import { writeEnvFile } from './env-file.ts'
import { addFirstAdministrator, createFirstPassword } from './first-administrator.ts'
import { publishInstaller, readConnectorVersion } from './installer.ts'
import { loadKeys } from './keys.ts'
import type { ProcessGroup, RunningProcess } from './processes.ts'
import { allowOrigins, register } from './register.ts'
import { startService } from './service.ts'
import type { Settings } from './settings.ts'

export interface StartOptions {
  /** Origins to allow, in addition to the page's. */
  readonly allow: readonly string[]
  /** The folder that `--data` names. */
  readonly data: string | undefined
}

/** Builds, starts and registers everything, and prints the banner; resolves with the running processes. */
export async function startAll(
  settings: Settings,
  processes: ProcessGroup,
  options: StartOptions,
): Promise<readonly RunningProcess[]> {
  await build(processes)
  const firstPassword = createFirstPassword()
  const service = await startService(processes, settings, firstPassword)
  const serviceBanner = addFirstAdministrator(service.banner, firstPassword)
  const { dsUrl } = service
  try {
    const rest = await withAdministrator(dsUrl, (administration) =>
      startRest(settings, processes, { ...options, administration, dsUrl, serviceBanner }),
    )
    return [service.process, ...rest]
  } catch (error) {
    // The banner may have a password in it, which the service never shows again.
    process.stdout.write(serviceBanner)
    throw error
  }
}

async function startRest(
  settings: Settings,
  processes: ProcessGroup,
  {
    allow,
    data,
    administration,
    dsUrl,
    serviceBanner,
  }: StartOptions & {
    readonly administration: Administration
    readonly dsUrl: string
    readonly serviceBanner: string
  },
): Promise<readonly RunningProcess[]> {
  const keys = await loadKeys(settings.data)
  const version = await readConnectorVersion()
  const installer = await publishInstaller(version)
  await register(administration, { version, installer, keys })

  const hasRealReaders = await usesRealReaders(settings, processes)
  const cardFile = hasRealReaders ? undefined : await prepareCardFile(settings.data)
  // The connector writes them beside the file that stands for its virtual card.
  const roots = settings.roots ?? (cardFile && `${cardFile}.authority.pem`)
  const revocations =
    settings.revocations ??
    (settings.roots === undefined && cardFile ? `${cardFile}.authority.crl.pem` : undefined)
  const { installationKey, apiKey } = keys
  const connector = await startConnector(processes, settings, { dsUrl, installationKey, cardFile })
  const { registryPort, port } = connector
  const page = { dsUrl, apiKey, registryPort, cardFile, roots, revocations }
  const backEnd = await startBackEnd(processes, settings, page)

  const origins = await allowOrigins(administration, version, [backEnd.origin, ...allow])
  await connector.sync()
  const rootFile = getRootFile(settings.data)
  const cards = { cardRoots: roots, cardRevocations: revocations }
  const facts = { dsUrl, apiKey, registryPort, port, origins, rootFile, ...cards }
  await writeEnvFile(settings.data, facts)
  process.stdout.write(
    formatBanner(settings, {
      address: backEnd.address,
      hasRealReaders,
      isTrusted: await isRootTrusted(processes, settings),
      hasDesktop: hasDesktop(),
      serviceBanner,
      backEnd: facts,
      dataOption: data,
    }),
  )
  return [connector.process, backEnd.process]
}

/** Whether to use the readers of the machine. */
async function usesRealReaders(settings: Settings, processes: ProcessGroup): Promise<boolean> {
  if (settings.readers !== 'any') return settings.readers === 'machine'
  return hasReaders(processes, settings)
}

/** Only on Linux there may be none; the connector finds the desktop by these variables, too. */
const hasDesktop = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
