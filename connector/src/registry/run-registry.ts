/** Runs the registry on its one port; that of the machine waits for it while another program has it. */
import type { Certificates } from '../certificates/certificates.ts'
import { openServedCertificates } from '../certificates/served-certificates.ts'
import type { KeystoreSource } from '../distribution/keystore/keystore-file.ts'
import type { Settings } from '../settings.ts'
import { systemClock } from '../system/clock.ts'
import { limitConnections } from '../system/connection-limit.ts'
import type { Log } from '../system/log.ts'
import { openPeerOwner } from '../system/open-peer-owner.ts'
import { logLostAddress } from '../system/port-holder.ts'
import { findPortOwner } from '../system/port-owner.ts'
import { type Handler, type HttpsServer, listenOn } from '../system/server.ts'
import { createUserNames } from '../system/user-name.ts'
import { version } from '../version.ts'
import { createAgentDirectory } from './agent-directory.ts'
import { createRegistryAllowlist } from './allowlist.ts'
import { createRegistryApp } from './app.ts'
import { createPendingRequests } from './pending-requests.ts'
import { explainPortConflict } from './port-conflict.ts'
import { readCertificateNames } from './read-only-certificates.ts'
import { maxConnectionsOfAccounts, maxConnectionsPerAccount } from './service/limits.ts'

interface RegistryOptions {
  readonly settings: Pick<Settings, 'registryPort' | 'cors' | 'consentRequests' | 'maxAgents'>
  /** The origins of a service that manages this registry, in place of those of the settings; calls back with each list. */
  readonly onOrigins?: (listener: (origins: readonly string[]) => void) => void
  /** Whether these are the settings of the machine, for every user, or those of one user. */
  readonly service: boolean
  readonly log: Log
  /** undefined: there is no local authority, only the keystore is served. */
  readonly certificates: Pick<Certificates, 'ensure' | 'onChange'> | undefined
  readonly keystore?: KeystoreSource | undefined
  /** Calls back when the clock has jumped, or is right again; absent where another process renews the certificates. */
  readonly onClockChange?: (listener: () => void) => void
  /** Called with the certificates before they are served. */
  readonly publish: () => Promise<void>
  /** false: give up when the port is taken. */
  readonly waitForPort: boolean
  /** Called when another program has got one of the addresses meanwhile; absent: it tries again until it has both. */
  readonly onLost?: () => void
}

/** How often a taken port is tried again, in milliseconds. */
const retryMs = 5000

/** How often the leaf's end is checked, in milliseconds: it is renewed weeks before. */
const renewalCheckMs = 86_400_000

/** Resolves once it listens; with the reason when another program has the port and it does not wait. Throws without a certificate. */
export async function runRegistry(options: RegistryOptions): Promise<string | undefined> {
  const { settings, log, certificates, keystore, publish } = options
  const port = settings.registryPort
  const showing = await openServedCertificates({
    certificates,
    keystore,
    namesIn: readCertificateNames,
    log,
  })
  await publish()
  const handler = createHandler(options, () => showing.current().names)
  let server: HttpsServer | undefined
  showing.onChange(({ certificates, names }) => {
    log.info('certificates replaced', { names: [...names].join(' ') })
    publish()
      .catch((error) => log.error('certificate not published', { reason: String(error) }))
      .finally(() => server?.replaceCertificates(certificates))
  })
  const renew = () => {
    showing
      .renew()
      .catch((error) => log.error('certificate not renewed', { reason: String(error) }))
  }
  setInterval(renew, renewalCheckMs).unref()
  options.onClockChange?.(renew)

  let logged: string | undefined
  for (;;) {
    server = listenOn(
      port,
      showing.current().certificates,
      handler,
      logLostAddress(log, options.onLost),
    )
    if (server) break
    const reason = await describeConflict(port)
    if (!options.waitForPort) return reason
    if (reason !== logged) log.warn('cannot listen', { reason })
    logged = reason
    await Bun.sleep(retryMs)
  }
  const limit = {
    own: maxConnectionsPerAccount,
    other: maxConnectionsPerAccount,
    // A polling agent has one connection, and a second one while it answers.
    others: Math.max(maxConnectionsOfAccounts, 2 * settings.maxAgents),
  }
  limitConnections({ port, limit, log })
  log.info(`listening on port ${port}`, { port, version })
  return undefined
}

/** Who has the port, and what to do. */
async function describeConflict(port: number): Promise<string> {
  const holder = await findPortOwner(port)
  const user = holder && (await createUserNames()(holder.user))
  const { what, todo } = explainPortConflict(process.platform, port, 'other-program', holder, user)
  return `${what}: ${todo}`
}

function createHandler(
  { settings, service, log, onOrigins }: RegistryOptions,
  names: () => ReadonlySet<string>,
): Handler {
  const agents = createAgentDirectory(systemClock, settings.maxAgents)
  const allowlist = createRegistryAllowlist(
    { origins: settings.cors, forEveryone: service },
    settings.maxAgents,
  )
  onOrigins?.(allowlist.replaceSettings)
  const app = createRegistryApp({
    version,
    log,
    clock: Date.now,
    consentRequests: settings.consentRequests,
    names,
    agents,
    pendingRequests: createPendingRequests(agents, systemClock, log),
    allowlist,
    ownerOf: openPeerOwner({ forEveryone: service }),
    findUserName: createUserNames(),
  })
  return (request, connection) => app.fetch(request, connection)
}
