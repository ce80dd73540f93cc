/** The endpoints about the connector: information, version, keys, logs, synchronization, and the calling browser. */
import {
  getBrowser,
  getConnectorVersion,
  getDeviceCertificate,
  getDeviceKey,
  getInfo,
  type Info,
  Problem,
  pushLogs,
  synchronise,
} from '@cardwire/client/protocol'
import { createPublicInfo } from '../http/public-info.ts'
import type { Bind } from '../http/route-types.ts'
import { errorText } from '../system/error-text.ts'
import { identifyCaller } from './authorize.ts'
import type { Services } from './services.ts'

export function bindSystemRoutes(bind: Bind, services: Services): void {
  const { pageKey, version, person, distribution } = services

  bind(getInfo, async (_, context) => {
    const caller = await identifyCaller(services, context)
    const data = caller
      ? createFullInfo(services, context.env.port)
      : createPublicInfo({ version, hostName: person.hostName })
    return { success: true as const, data, ...data, signature: pageKey.sign(JSON.stringify(data)) }
  })

  bind(getConnectorVersion, async () => ({ data: { version } }))

  bind(getDeviceKey, async () => ({ data: pageKey.publicKey }))

  bind(getDeviceCertificate, async () => ({
    data: { certificate: pageKey.certificate, fingerprint: pageKey.fingerprint },
  }))

  bind(getBrowser, async (_, context) => {
    // Loaded only when needed: few pages call this.
    const { detectBrowser } = await import('./detect-browser.ts')
    return { data: detectBrowser((name) => context.req.header(name)) }
  })

  bind(pushLogs, async (_, context) => {
    if (distribution === undefined) {
      throw new Problem(
        'logs-kept',
        'Cannot send the logs: this connector has no distribution service',
      )
    }
    context.env.keepOpen()
    try {
      await distribution.pushLogs()
    } catch (error) {
      const reason = errorText(error)
      throw new Problem('logs-kept', `Cannot send the logs: ${reason}`)
    }
    return { data: { pushed: true } }
  })

  bind(synchronise, async (_, context) => {
    if (distribution === undefined) return { data: { standing: 'unmanaged' as const } }
    context.env.keepOpen()
    return { data: await distribution.synchronize() }
  })
}

function createFullInfo(
  { version, person, settings, allowlist, distribution, readers, tokens, registry }: Services,
  port: number,
): Info {
  const { os } = person
  const { pcsc } = readers.snapshot()
  const activated = distribution?.isRegistered() ?? true
  return {
    t1CInfoAPI: {
      service: {
        url: 'https://localhost',
        apiPort: String(port),
        deviceType: 'API',
        ...(distribution && { distributionServiceUrl: distribution.url }),
        dsRegistryActivated: false,
      },
      activated,
      status: activated ? 'ACTIVATED' : 'UNREGISTERED',
      cors: [...allowlist()],
      version,
      logLevel: settings.logLevel,
      jwtEnabled: tokens.required,
      optionalConsent: false,
      sandbox: {
        pid: readers.sandboxPid(),
        pcsc: pcsc.kind,
        ...(pcsc.kind === 'down' && { reason: pcsc.reason }),
      },
      registry: registry(),
    },
    t1CInfoUser: {
      timezone: person.timezone,
      country: person.country,
      language: person.language,
      home: person.home,
      tempDir: person.tempDir,
      name: person.username,
      username: person.username,
      hostName: person.hostName,
    },
    t1CInfoOS: {
      architecture: os.architecture,
      os: os.name,
      version: os.version,
      platform: os.name,
    },
    t1CInfoRuntime: { runtime: 'bun', desktop: true, version: Bun.version },
  } as Info
}
