/** `cardwire run` and `cardwire api`: the connector of this user, until it is stopped. */

import { join } from 'node:path'
import { getConnectorVersion } from '@cardwire/client/protocol'
import { openCards } from '../api/cards/open-cards.ts'
import { prepareVirtualCard } from '../api/cards/prepare-virtual-card.ts'
import { openCounters } from '../api/counters/counters.ts'
import { createModules, registeredModules, toModuleSystem } from '../api/modules/modules.ts'
import { openRegistryConnection } from '../api/registry-connection/open-registry-connection.ts'
import type {
  ConnectionState,
  RegistryConnection,
} from '../api/registry-connection/registry-connection.ts'
import { runApi } from '../api/run-api.ts'
import { openCertificates } from '../certificates/open-certificates.ts'
import { installTrustAtStart } from '../certificates/trust-at-start.ts'
import { openManagement } from '../distribution/management.ts'
import { openFileExchange } from '../files/open-file-exchange.ts'
import { openPrinters } from '../files/printing/open-printers.ts'
import { createSandboxEnvironment } from '../sandbox/environment.ts'
import { rememberBlockedPins } from '../sandbox/readers/blocked-pins.ts'
import { openCardAccess } from '../sandbox/readers/card-access.ts'
import { logPcscState } from '../sandbox/readers/pcsc-log.ts'
import { superviseReaders } from '../sandbox/readers/sandbox-supervisor.ts'
import { openKeyStore } from '../sandbox/windows-keys/open-key-store.ts'
import { systemClock } from '../system/clock.ts'
import { clockFileName, keepWatching, openClockWatch } from '../system/clock-watch.ts'
import { openDesktop } from '../system/desktop/open-desktop.ts'
import { describeError } from '../system/file-error.ts'
import { protocolVersion } from '../system/ipc/registry-messages.ts'
import { logOpenPaths, openLog } from '../system/log.ts'
import { openPrivateFolder } from '../system/private-folder.ts'
import { restrictFolder } from '../system/restrict-folder.ts'
import { type Release, tryLockFile } from '../system/single-instance.ts'
import { openStateDatabase } from '../system/state/database.ts'
import { readUser } from '../system/user.ts'
import { openGrants } from '../user/consent/grants.ts'
import { openConsentService } from '../user/consent/open-consent-service.ts'
import { openDialogs } from '../user/dialogs/open-dialogs.ts'
import {
  type CommandContext,
  getInstallationFolder,
  getProgramEnvironment,
  getSelfCommand,
  getWorkerFile,
} from './command-context.ts'
import { openTokens } from './open-tokens.ts'
import { callOwnApi, lockFileName, readOwnApiPort } from './own-api.ts'
import { createUpdateStarter } from './start-update.ts'

/** How long another connector of this user may take to reply, in milliseconds. */
const probeMs = 2000

/** How long a start waits for another one that starts or ends, and between two tries, in milliseconds. */
const maxWaitMs = 10_000
const lockRetryMs = 100

/** How long the parts of the connector may take to end, in milliseconds. */
const maxStopMs = 1000

/** When the memory that only the start needed is released, in milliseconds after the start. */
const settledMs = 2000

/**
 * Ends with the process; exit status 1 when nothing can be served, others as `sync/orders.ts` says. `registry`: whether
 * one is started where there is none.
 */
export async function runConnector(
  { settings, folders }: CommandContext,
  { registry: startsRegistry }: { readonly registry: boolean },
): Promise<void> {
  // Child processes must not get it.
  delete process.env['CARDWIRE_INSTALLATION_KEY']
  const log = openLog(folders.logs, 'api', { level: settings.logLevel, console: true })
  const user = readUser(process.env)
  if (settings.virtualReader) await prepareVirtualCard(settings.virtualReader, log)
  const found = superviseReaders({
    command: getSelfCommand('sandbox'),
    log,
    env: createSandboxEnvironment(settings),
  })
  logPcscState(found, log)
  const cards = openCards()
  const cardProcesses = rememberBlockedPins(
    openCardAccess({
      command: getSelfCommand('card'),
      tokenCommand: getSelfCommand('token'),
      env: createSandboxEnvironment(settings),
      clock: systemClock,
      log,
    }),
    found,
  )
  try {
    openPrivateFolder(folders.runtime, log)
    // The settings may have the installation key; a folder that a person does not have is not created.
    logOpenPaths(restrictFolder(folders.config), log)
    const release = await lockConnector(folders)
    const clock = openClockWatch({ path: join(folders.runtime, clockFileName), log })
    clock.isTrusted()
    keepWatching(clock)
    let port: number | undefined
    let clockOffset = () => 0
    let link: RegistryConnection | undefined
    let stop = async (status: number): Promise<void> => process.exit(status)
    const desktop = openDesktop({
      platform: process.platform,
      environment: process.env,
      helper: getSelfCommand('desktop'),
      openOffer: createUpdateStarter(settings, process.env),
    })
    const database = openStateDatabase(folders.runtime, log)
    const counters = openCounters(database, () => Date.now() + clockOffset())
    const management = await openManagement({
      settings,
      folders,
      log,
      user,
      dialog: desktop.dialog,
      installation: getInstallationFolder(),
      keystoreWorker: getWorkerFile('./distribution/keystore/keystore-worker.ts'),
      counters,
      clockWatch: clock,
      end: (status) => void stop(status),
    })
    clockOffset = management.tokenAuthority.clockOffsetMs
    const { allowlist, onAllowlistChange, tokenAuthority, distribution, keystore } = management
    const grants = await openGrants({ path: settings.cards, managed: management.cardPolicy, log })
    const { readers, cardAccess, tokenModule } = openTokens({
      ...{ readers: found, cards: cardProcesses, findByAtr: cards.modulesFor, words: grants, log },
    })
    const certificates = openCertificates(settings, folders, log, {
      servedOn: () => port,
      isClockTrusted: clock.isTrusted,
    })
    const own = openConsentService({
      database,
      isClockTrusted: clock.isTrusted,
      username: user.username,
      hostname: user.hostName,
      port: () => port ?? 0,
      sandboxPid: found.sandboxPid,
      desktop,
      allowlist,
      folders: grants.folders,
      log,
    })
    if (!settings.localCa) await management.obtainKeystore()
    const api = await runApi({
      settings,
      folders,
      log,
      program: { folder: getInstallationFolder(), environment: getProgramEnvironment() },
      user,
      readers,
      cardAccess,
      ...openDialogs(
        desktop,
        { language: user.language, usesPads: settings.usesReaderPads },
        {
          platform: process.platform,
          home: user.home,
          own: Object.values(folders),
        },
      ),
      hasGrant: grants.hasGrant,
      grantedAids: grants.grantedAids,
      onGrants: grants.onChange,
      certificates,
      keystore,
      onClockChange: clock.onChange,
      counters,
      consents: own.activeConsents,
      identityPermissions: own.identityPermissions,
      fileTypes: own.fileTypes,
      printers: openPrinters({
        platform: process.platform,
        environment: process.env,
        helper: getSelfCommand('spooler'),
      }),
      keyStore: openKeyStore(process.platform, getSelfCommand('keys'), process.env),
      notifier: desktop.notifier,
      fileExchange: openFileExchange(folders.runtime, log),
      consentService: own.consentService,
      allowlist,
      onAllowlist: onAllowlistChange,
      authority: tokenAuthority,
      distribution,
      stop: () => void stop(0),
      registry: () => ({ ...toRegistryState(link?.state()), pid: link?.pid() ?? 0 }),
      modules: createModules([...registeredModules, tokenModule], toModuleSystem(process.platform)),
      cards,
      atrs: cards.atrs,
      certify: async (privateKey, now) => {
        // Once in years: it needs the library that makes certificates.
        const { certifyKey } = await import('../pki/x509.ts')
        return certifyKey(privateKey, user.hostName, now)
      },
    })
    port = api.port
    link = openRegistryConnection({
      settings,
      folders,
      log,
      command: startsRegistry ? [...getSelfCommand('registry'), '--attached'] : undefined,
      registration: () => ({
        protocol: protocolVersion,
        agentId: own.consentService.agentId,
        username: user.username,
        hostname: user.hostName,
        port: api.port,
        pid: process.pid,
        pageKey: api.pageKey,
        allowlist: [...allowlist()],
      }),
      handleRequest: own.consentService.handleAgentRequest,
    })
    if (process.platform === 'win32' && settings.localCa)
      void installTrustAtStart(certificates, log)
    onAllowlistChange(link.refresh)
    stop = async (status) => {
      // A forbidden version does not wait for parts that hang.
      if (status !== 0) setTimeout(() => process.exit(status), maxStopMs)
      management.stop()
      await link?.stop()
      await api.stop()
      own.stop()
      database.close()
      await cardProcesses.stop()
      await found.stop()
      release()
      log.info('stopped')
      process.exit(status)
    }
    management.start()
    setTimeout(() => Bun.shrink(), settledMs).unref()
    process.once('SIGINT', () => stop(0))
    process.once('SIGTERM', () => stop(0))
  } catch (error) {
    log.error('cannot start', { reason: describeError(error) })
    await found.stop()
    process.exit(1)
  }
}

/**
 * Two connectors would share one state, and programs of this user would reach the second alone. One that is ending has some
 * time to end.
 */
async function lockConnector(folders: CommandContext['folders']): Promise<Release> {
  const giveUp = performance.now() + maxWaitMs
  for (;;) {
    const release = tryLockFile(folders.runtime, lockFileName)
    // A connector of an earlier version takes no lock.
    const answers = await callOwnApi(folders, getConnectorVersion, probeMs).then(
      () => true,
      () => false,
    )
    if (release !== undefined && !answers) return release
    release?.()
    if (answers) {
      throw new Error(
        `a connector of yours runs already, on port ${await readOwnApiPort(folders)}: end it first`,
      )
    }
    if (performance.now() > giveUp) {
      throw new Error(
        `a connector of yours runs already and does not answer; it holds "${join(folders.runtime, lockFileName)}": end it first`,
      )
    }
    await Bun.sleep(lockRetryMs)
  }
}

const toRegistryState = (state: ConnectionState = { kind: 'starting' }) =>
  'reason' in state ? { state: state.kind, reason: state.reason } : { state: state.kind }
