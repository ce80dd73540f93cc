/** `cardwire run` and `cardwire api`: the connector of this user, until it is stopped. */
import { openCards } from '../api/cards/open-cards.ts'
import type { ConnectionState } from '../api/registry-connection/connection-state.ts'
import { openRegistryConnection } from '../api/registry-connection/open-registry-connection.ts'
import type { RegistryConnection } from '../api/registry-connection/registry-connection.ts'
import { type RunningApi, runApi } from '../api/run-api.ts'
import { installTrustAtStart } from '../certificates/trust-at-start.ts'
import { describeError } from '../system/file-error.ts'
import { protocolVersion } from '../system/ipc/registry-messages.ts'
import { logOpenPaths, openLog } from '../system/log.ts'
import { openPrivateFolder } from '../system/private-folder.ts'
import { restrictFolder } from '../system/restrict-folder.ts'
import type { Release } from '../system/single-instance.ts'
import { readUser } from '../system/user.ts'
import { type CommandContext, getSelfCommand } from './command-context.ts'
import { lockConnector } from './lock-connector.ts'
import { type ConnectorContext, type OpenedConnector, openConnector } from './open-connector.ts'
import { openSandbox } from './open-sandbox.ts'

/** How long the parts of the connector may take to end, in milliseconds. */
const maxStopMs = 1000

/** When the memory that only the start needed is released, in milliseconds after the start. */
const settledMs = 2000

interface StartContext extends Omit<ConnectorContext, 'port' | 'registry' | 'stop'> {
  /** Whether a registry is started where there is none. */
  readonly startsRegistry: boolean
}

/**
 * Ends with the process. The exit status is 1 when the connector cannot start; a policy that forbids this version ends it with
 * one of its own (`distribution/policy/enforce.ts`). `registry`: whether one is started where there is none.
 */
export async function runConnector(
  { settings, folders }: CommandContext,
  { registry: startsRegistry }: { readonly registry: boolean },
): Promise<void> {
  // Child processes must not get it.
  delete process.env['CARDWIRE_INSTALLATION_KEY']
  const log = openLog(folders.logs, 'api', { level: settings.logLevel, console: true })
  const user = readUser(process.env)
  const sandbox = await openSandbox(settings, log)
  const cards = openCards()
  try {
    openPrivateFolder(folders.runtime, log)
    // The settings may have the installation key; a folder that a user does not have is not created.
    logOpenPaths(restrictFolder(folders.config), log)
    const release = await lockConnector(folders)
    await startConnector({ settings, folders, log, user, sandbox, cards, startsRegistry }, release)
  } catch (error) {
    log.error('cannot start', { reason: describeError(error) })
    await sandbox.readers.stop()
    process.exit(1)
  }
}

async function startConnector(context: StartContext, release: Release): Promise<void> {
  let api: RunningApi | undefined
  let registry: RegistryConnection | undefined
  let stop = async (status: number): Promise<void> => process.exit(status)
  const connector = await openConnector({
    ...context,
    port: () => api?.port,
    registry: () => ({ ...toRegistryState(registry?.state()), pid: registry?.pid() ?? 0 }),
    stop: (status) => void stop(status),
  })
  const { apiOptions, management } = connector
  api = await runApi(apiOptions)
  registry = connectRegistry(context, connector, api)
  if (process.platform === 'win32' && context.settings.localCa)
    void installTrustAtStart(apiOptions.certificates, context.log)
  management.onAllowlistChange(registry.refresh)
  const running = { ...context, connector, api, registry, release }
  stop = (status) => stopConnector(running, status)
  management.start()
  setTimeout(() => Bun.shrink(), settledMs).unref()
  process.once('SIGINT', () => stop(0))
  process.once('SIGTERM', () => stop(0))
}

interface RunningConnector extends Pick<StartContext, 'sandbox' | 'log'> {
  readonly connector: OpenedConnector
  readonly api: RunningApi
  readonly registry: RegistryConnection
  readonly release: Release
}

async function stopConnector(
  { connector, api, registry, sandbox, release, log }: RunningConnector,
  status: number,
): Promise<never> {
  // A forbidden version does not wait for parts that hang.
  if (status !== 0) setTimeout(() => process.exit(status), maxStopMs)
  connector.management.stop()
  await registry.stop()
  await api.stop()
  connector.close()
  await sandbox.cardAccess.stop()
  await sandbox.readers.stop()
  release()
  log.info('stopped')
  process.exit(status)
}

function connectRegistry(
  { settings, folders, log, user, startsRegistry }: StartContext,
  { management, consentService }: OpenedConnector,
  api: RunningApi,
): RegistryConnection {
  return openRegistryConnection({
    settings,
    folders,
    log,
    command: startsRegistry ? [...getSelfCommand('registry'), '--attached'] : undefined,
    registration: () => ({
      protocol: protocolVersion,
      agentId: consentService.agentId,
      username: user.username,
      hostname: user.hostName,
      port: api.port,
      pid: process.pid,
      pageKey: api.deviceEncryptionKey,
      allowlist: [...management.allowlist()],
    }),
    handleRequest: consentService.handleAgentRequest,
  })
}

const toRegistryState = (state: ConnectionState = { kind: 'starting' }) =>
  'reason' in state ? { state: state.kind, reason: state.reason } : { state: state.kind }
