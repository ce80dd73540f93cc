/** The answer to /info for a page with consent, and for programs of this user: connector, user, machine. */
import type { Info } from '@cardwire/protocol/connector-system'
import type { ApiServices } from './api-services.ts'
import { deriveDeviceId } from './device-encryption-key.ts'

/** Every field that existing pages show; `port` is that of this API. */
export function createFullInfo(services: ApiServices, port: number): Info {
  const { settings, readers, user, program, clock } = services
  const { os } = user
  return {
    t1CInfoAPI: {
      ...createApiInfo(services, port),
      logLevel: settings.logLevel,
      jwtEnabled: services.tokens.required,
      optionalConsent: false,
      sandbox: { pid: readers.sandboxPid(), ...toCardServiceInfo(services) },
      registry: services.registry(),
    },
    t1CInfoUser: {
      timezone: user.timezone,
      country: user.country,
      language: user.language,
      home: user.home,
      tempDir: user.tempDir,
      name: user.username,
      username: user.username,
      hostName: user.hostName,
      installedDir: program.folder,
    },
    t1CInfoOS: {
      architecture: os.architecture,
      os: os.name,
      version: os.version,
      platform: os.name,
    },
    // Existing pages show these three. There is no Java in this program.
    t1CInfoJava: { runtime: `Bun ${Bun.version}`, spec: 'none', java: 'none' },
    t1CInfoRuntime: {
      runtime: 'bun',
      desktop: user.desktop,
      version: Bun.version,
      // In whole seconds: answers within one share a signature.
      dateTime: new Date(clock()).toISOString().replace(/\.\d+/, ''),
    },
  } as Info
}

function createApiInfo(services: ApiServices, port: number) {
  const { version, program, distribution, deviceEncryptionKey, modules, allowlist } = services
  const registeredId = distribution?.deviceId()
  const activated = distribution === undefined || registeredId !== undefined
  return {
    service: {
      url: 'https://localhost',
      apiPort: String(port),
      // There is no gRPC.
      gRpcPort: '0',
      deviceType: 'API',
      ...(distribution && { distributionServiceUrl: distribution.url }),
      dsRegistryActivated: false,
    },
    activated,
    status: activated ? 'ACTIVATED' : 'UNREGISTERED',
    environment: program.environment,
    // The id by which the service knows this device, where it does.
    uid: registeredId ?? deriveDeviceId(deviceEncryptionKey.publicKey),
    modules: modules.list().map(({ id }) => id),
    cors: [...allowlist()],
    version,
  }
}

function toCardServiceInfo({ readers }: Pick<ApiServices, 'readers'>) {
  const { pcsc } = readers.snapshot()
  return { pcsc: pcsc.kind, ...(pcsc.kind === 'down' && { reason: pcsc.reason }) }
}
