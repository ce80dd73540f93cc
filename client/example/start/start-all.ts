/** Everything, one part after the other. */
import process from 'node:process'
import { asAdministrator } from './administrator.ts'
import { banner } from './banner.ts'
import { build } from './build.ts'
import { hasReaders, isBelieved, makeCardFile, startConnector } from './connector.ts'
import { connectorVersion, publishInstaller } from './installer.ts'
import { openKeys } from './keys.ts'
import type { Part, Parts } from './parts.ts'
import { checkPorts } from './ports.ts'
import { register } from './register.ts'
import type { Settings } from './settings.ts'

/** Starts one after the other, and says where they are; resolves with what runs. */
export async function startAll(settings: Settings, parts: Parts): Promise<readonly Part[]> {
  await checkPorts(settings)
  await build(parts)
  const service = parts.start({
    name: 'the service',
    program: process.execPath,
    args: ['--max-semi-space-size=2', 'ds/dist/node.js'],
  })
  const [told, dsUrl = ''] = await service.says(/^.*API document +(\S+)\/docs\n.*Ctrl-C.*\n/s)
  try {
    return [service, ...(await startRest(settings, parts, { dsUrl, told }))]
  } catch (error) {
    // It may show a password, and will not show it again.
    process.stdout.write(told)
    throw error
  }
}

async function startRest(
  settings: Settings,
  parts: Parts,
  { dsUrl, told }: { readonly dsUrl: string; readonly told: string },
): Promise<readonly Part[]> {
  const keys = await openKeys(settings.data)
  const version = await connectorVersion()
  const installer = await publishInstaller(version)
  await asAdministrator(dsUrl, (administration) =>
    register(administration, { version, installer, origin: settings.origin, keys }),
  )

  const real = await areReal(settings, parts)
  const cardFile = real ? undefined : await makeCardFile(settings.data)
  const { installationKey, apiKey } = keys
  const connector = await startConnector(parts, settings, { dsUrl, installationKey, cardFile })

  const backEnd = parts.start({
    name: 'the example',
    program: process.execPath,
    args: ['client/example/back-end/main.ts'],
    environment: {
      EXAMPLE_PORT: String(settings.port),
      EXAMPLE_DS_URL: dsUrl,
      EXAMPLE_API_KEY: apiKey,
      EXAMPLE_REGISTRY_PORT: String(settings.registryPort),
      EXAMPLE_CARD_FILE: cardFile,
    },
  })
  await backEnd.says(/listening/)
  const believed = await isBelieved(parts, settings)
  process.stdout.write(banner(settings, { real, believed, desktop: hasDesktop(), service: told }))
  return [connector, backEnd]
}

/** Whether the readers are those of the machine. */
async function areReal(settings: Settings, parts: Parts): Promise<boolean> {
  if (settings.readers !== 'any') return settings.readers === 'machine'
  return hasReaders(parts, settings)
}

/** Linux alone has machines without; there the connector learns of it by the environment. */
const hasDesktop = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
