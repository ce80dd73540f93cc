/** Starts everything, one program after the other. */
import process from 'node:process'
import { withAdministrator } from './administrator.ts'
import { startBackEnd } from './back-end.ts'
import { formatBanner } from './banner.ts'
import { build } from './build.ts'
import { hasReaders, isRootTrusted, prepareCardFile, startConnector } from './connector.ts'
import { addFirstAdministrator, createFirstPassword } from './first-administrator.ts'
import { publishInstaller, readConnectorVersion } from './installer.ts'
import { loadKeys } from './keys.ts'
import { checkPorts } from './ports.ts'
import type { ProcessGroup, RunningProcess } from './processes.ts'
import { register } from './register.ts'
import type { Settings } from './settings.ts'

/** Builds, starts and registers everything, and prints the banner; resolves with the running processes. */
export async function startAll(
  settings: Settings,
  processes: ProcessGroup,
): Promise<readonly RunningProcess[]> {
  await checkPorts(settings)
  await build(processes)
  const firstPassword = createFirstPassword()
  const service = processes.start({
    name: 'the service',
    program: process.execPath,
    args: ['--max-semi-space-size=4', '--optimize-for-size', 'ds/dist/node.js'],
    environment: firstPassword === undefined ? {} : { DS_ADMIN_PASSWORD: firstPassword },
  })
  const [ownBanner, dsUrl = ''] = await service.waitForOutput(
    /^.*API document +(\S+)\/docs\n.*Ctrl-C.*\n/s,
  )
  const serviceBanner = addFirstAdministrator(ownBanner, firstPassword)
  try {
    return [service, ...(await startRest(settings, processes, { dsUrl, serviceBanner }))]
  } catch (error) {
    // The banner may have a password in it, which the service never shows again.
    process.stdout.write(serviceBanner)
    throw error
  }
}

async function startRest(
  settings: Settings,
  processes: ProcessGroup,
  { dsUrl, serviceBanner }: { readonly dsUrl: string; readonly serviceBanner: string },
): Promise<readonly RunningProcess[]> {
  const keys = await loadKeys(settings.data)
  const version = await readConnectorVersion()
  const installer = await publishInstaller(version)
  await withAdministrator(dsUrl, (administration) =>
    register(administration, { version, installer, origin: settings.origin, keys }),
  )

  const hasRealReaders = await usesRealReaders(settings, processes)
  const cardFile = hasRealReaders ? undefined : await prepareCardFile(settings.data)
  const { installationKey, apiKey } = keys
  const connector = await startConnector(processes, settings, { dsUrl, installationKey, cardFile })

  const isTrusted = await isRootTrusted(processes, settings)
  const backEnd = await startBackEnd(processes, settings, { dsUrl, apiKey, cardFile }, (address) =>
    formatBanner(settings, {
      address,
      hasRealReaders,
      isTrusted,
      hasDesktop: hasDesktop(),
      serviceBanner,
    }),
  )
  return [connector, backEnd]
}

/** Whether to use the readers of the machine. */
async function usesRealReaders(settings: Settings, processes: ProcessGroup): Promise<boolean> {
  if (settings.readers !== 'any') return settings.readers === 'machine'
  return hasReaders(processes, settings)
}

/** Only on Linux there may be none; the connector finds the desktop by these variables, too. */
const hasDesktop = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
