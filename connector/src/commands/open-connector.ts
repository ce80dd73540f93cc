/** Opens everything that the API of a connector works with, on this machine and for this user. */
import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { RegistryState } from '../api/api-services.ts'
import type { OpenCards } from '../api/cards/open-cards.ts'
import { openCounters } from '../api/counters/counters.ts'
import { createModules, registeredModules, toModuleSystem } from '../api/modules/modules.ts'
import type { ApiOptions } from '../api/run-api.ts'
import { openCertificates } from '../certificates/open-certificates.ts'
import { type Management, openManagement } from '../distribution/management.ts'
import { openFileExchange } from '../files/open-file-exchange.ts'
import { openPrinters } from '../files/printing/open-printers.ts'
import { openKeyStore } from '../sandbox/windows-keys/open-key-store.ts'
import {
  type ClockWatch,
  clockFileName,
  keepWatching,
  openClockWatch,
} from '../system/clock-watch.ts'
import type { Desktop } from '../system/desktop/desktop.ts'
import { openDesktop } from '../system/desktop/open-desktop.ts'
import type { Log } from '../system/log.ts'
import { openStateDatabase } from '../system/state/database.ts'
import type { User } from '../system/user.ts'
import type { ClipboardConsentService } from '../user/consent/clipboard-consent-service.ts'
import { type Grants, openGrants } from '../user/consent/grants.ts'
import {
  type ConsentServiceOptions,
  openConsentService,
} from '../user/consent/open-consent-service.ts'
import { openDialogs } from '../user/dialogs/open-dialogs.ts'
import {
  type CommandContext,
  getInstallationFolder,
  getProgramEnvironment,
  getSelfCommand,
  getWorkerFile,
} from './command-context.ts'
import { createFolderContext } from './folder-context.ts'
import type { Sandbox } from './open-sandbox.ts'
import { openTokens } from './open-tokens.ts'
import { createUpdateStarter } from './start-update.ts'

export interface ConnectorContext extends Pick<CommandContext, 'settings' | 'folders'> {
  readonly log: Log
  readonly user: User
  readonly sandbox: Sandbox
  readonly cards: OpenCards
  /** Of the API; undefined until it listens. */
  readonly port: () => number | undefined
  readonly registry: () => RegistryState
  /** Ends the connector with this exit status. */
  readonly stop: (status: number) => void
}

export interface OpenedConnector {
  readonly apiOptions: ApiOptions
  readonly management: Management
  readonly consentService: ClipboardConsentService
  /** Ends what runs for the consents, and closes the database. */
  close(): void
}

export async function openConnector(context: ConnectorContext): Promise<OpenedConnector> {
  const { settings, folders, log, user } = context
  const clock = openClockWatch({ path: join(folders.runtime, clockFileName), log })
  clock.isTrusted()
  keepWatching(clock)
  const desktop = openDesktop({
    platform: process.platform,
    environment: process.env,
    helper: getSelfCommand('desktop'),
    openOffer: createUpdateStarter(settings, process.env),
  })
  const database = openStateDatabase(folders.runtime, log)
  const { management, counters } = await openManagedState(context, { clock, desktop, database })
  const grants = await openGrants({ path: settings.cards, managed: management.cardPolicy, log })
  const cardServices = openCardServices(context, grants)
  const certificates = openCertificates(settings, folders, log, {
    servedOn: context.port,
    isClockTrusted: clock.isTrusted,
  })
  const { allowlist } = management
  const isClockTrusted = clock.isTrusted
  const consents = openConsents(context, { database, desktop, allowlist, grants, isClockTrusted })
  if (!settings.localCa) await management.obtainKeystore()
  return {
    apiOptions: {
      ...{ settings, folders, log, user, certificates, counters },
      program: { folder: getInstallationFolder(), environment: getProgramEnvironment() },
      ...cardServices,
      ...openMachineServices(context),
      ...openUserDialogs(context, desktop),
      notifier: desktop.notifier,
      hasGrant: grants.hasGrant,
      grantedAids: grants.grantedAids,
      onGrants: grants.onChange,
      consents: consents.activeConsents,
      consentService: consents.consentService,
      consentRequests: settings.consentRequests,
      identityPermissions: consents.identityPermissions,
      fileTypes: consents.fileTypes,
      allowlist,
      onAllowlist: management.onAllowlistChange,
      authority: management.tokenAuthority,
      distribution: management.distribution,
      keystore: management.keystore,
      onClockChange: clock.onChange,
      registry: context.registry,
      stop: () => context.stop(0),
      certify: async (privateKey, now) => {
        // Once in years: it needs the library that makes certificates.
        const { certifyKey } = await import('../pki/x509.ts')
        return certifyKey(privateKey, user.hostName, now)
      },
    },
    management,
    consentService: consents.consentService,
    close() {
      consents.stop()
      database.close()
    },
  }
}

/** The management of this connector, and the counters that it sends. */
async function openManagedState(
  { settings, folders, log, user, stop }: ConnectorContext,
  machine: {
    readonly clock: ClockWatch
    readonly desktop: Desktop
    readonly database: Database
  },
) {
  let clockOffset = () => 0
  const counters = openCounters(machine.database, () => Date.now() + clockOffset())
  const management = await openManagement({
    settings,
    folders,
    log,
    user,
    dialog: machine.desktop.dialog,
    installation: getInstallationFolder(),
    keystoreWorker: getWorkerFile('./distribution/keystore/keystore-worker.ts'),
    counters,
    clockWatch: machine.clock,
    end: stop,
  })
  clockOffset = management.tokenAuthority.clockOffsetMs
  return { management, counters }
}

/** Readers, cards, and the modules for them. */
function openCardServices({ sandbox, cards, log }: ConnectorContext, grants: Grants) {
  const { tokenModule, readers, cardAccess } = openTokens({
    readers: sandbox.readers,
    cards: sandbox.cardAccess,
    findByAtr: cards.modulesFor,
    words: grants,
    log,
  })
  const system = toModuleSystem(process.platform)
  const modules = createModules([...registeredModules, tokenModule], system)
  return { readers, cardAccess, cards, atrs: cards.atrs, modules }
}

const openConsents = (
  { sandbox, settings, user, port, log }: ConnectorContext,
  {
    grants,
    ...options
  }: Pick<ConsentServiceOptions, 'database' | 'desktop' | 'allowlist' | 'isClockTrusted'> & {
    readonly grants: Grants
  },
) =>
  openConsentService({
    ...options,
    username: user.username,
    hostname: user.hostName,
    port: () => port() ?? 0,
    sandboxPid: sandbox.readers.sandboxPid,
    folders: grants.folders,
    consentRequests: settings.consentRequests,
    language: user.language,
    log,
  })

/** Printers, keys and files of this machine that pages may use. */
const openMachineServices = ({ folders, log }: ConnectorContext) => ({
  printers: openPrinters({
    platform: process.platform,
    environment: process.env,
    helper: getSelfCommand('spooler'),
  }),
  keyStore: openKeyStore(process.platform, getSelfCommand('keys'), process.env),
  fileExchange: openFileExchange(folders.runtime, createFolderContext(folders), log),
})

const openUserDialogs = ({ settings, folders, user }: ConnectorContext, desktop: Desktop) =>
  openDialogs(
    desktop,
    { language: user.language, usesPads: settings.usesReaderPads },
    createFolderContext(folders),
  )
