/** `cardwire run` and `cardwire api`: the connector of this user, until it is stopped. */

import { getConnectorVersion } from '@cardwire/client/protocol'
import type { Link, LinkState } from '../agent/link.ts'
import { openLink } from '../agent/open-link.ts'
import { protocolNumber } from '../agent/protocol.ts'
import { runApi } from '../api/run.ts'
import { openCards } from '../cards/open-cards.ts'
import { openCertificates } from '../certs/open-certificates.ts'
import { trustAtStart } from '../certs/trust-at-start.ts'
import { openOwnDesk } from '../consent/open-own-desk.ts'
import { openCounters } from '../counters/counters.ts'
import { openDesktop } from '../desktop/open-desktop.ts'
import { createModules, moduleSystemOf, registeredModules } from '../modules/registry.ts'
import { superviseReaders } from '../readers/readers.ts'
import { tellCardService } from '../readers/told.ts'
import { sandboxEnvironment } from '../sandbox/role.ts'
import { openState } from '../state/database.ts'
import { openManagement } from '../sync/management.ts'
import { openLog } from '../system/log.ts'
import { currentPerson } from '../system/person.ts'
import { installationFolder, type Machine, selfCommand } from './machine.ts'
import { askOwnApi, ownApiPort } from './own-api.ts'

/** How long another connector of this person may take to say that it is there, in milliseconds. */
const otherMs = 2000

/** How long what runs may take to end, in milliseconds. */
const endMs = 1000

/** When what the start alone needed is given back to the system, in milliseconds: it has settled by then. */
const settledMs = 2000

/**
 * Ends with the process; exit status 1 when nothing can be served, others as `sync/orders.ts` says. `registry`: whether
 * one is started where there is none.
 */
export async function run(
  { settings, folders }: Machine,
  { registry: starts }: { readonly registry: boolean },
): Promise<void> {
  // What we start has no use for it.
  delete process.env['CARDWIRE_INSTALLATION_KEY']
  const log = openLog(folders.logs, 'api', { level: settings.logLevel, console: true })
  const person = currentPerson(process.env)
  const readers = superviseReaders({
    command: selfCommand('sandbox'),
    log: (event, fields) => log.warn(event, fields),
    env: sandboxEnvironment(settings),
  })
  tellCardService(readers, log)
  try {
    await mustBeAlone(folders)
    let port: number | undefined
    let clockOffset = () => 0
    let link: Link | undefined
    let stop = async (status: number): Promise<void> => process.exit(status)
    const desktop = openDesktop({
      platform: process.platform,
      environment: process.env,
      helper: selfCommand('desktop'),
    })
    const database = openState(folders.runtime, log)
    const counters = openCounters(database, () => Date.now() + clockOffset())
    const management = await openManagement({
      ...{ settings, folders, log, person },
      dialog: desktop.dialog,
      installation: installationFolder(),
      counters,
      end: (status) => void stop(status),
    })
    clockOffset = management.authority.offsetMs
    const { allowlist, onAllowlist, authority, distribution, keystore } = management
    const certificates = openCertificates(settings, folders, log, { servedOn: () => port })
    const own = openOwnDesk({
      database,
      username: person.username,
      hostname: person.hostName,
      port: () => port ?? 0,
      sandboxPid: readers.sandboxPid,
      desktop,
      allowlist,
      log,
    })
    if (!settings.localCa) await management.obtainKeystore()
    const api = await runApi({
      settings,
      folders,
      log,
      person,
      readers,
      certificates,
      keystore,
      counters,
      consents: own.consents,
      desk: own.desk,
      ...{ allowlist, onAllowlist, authority, distribution },
      registry: () => ({ ...shown(link?.state()), pid: link?.pid() ?? 0 }),
      modules: createModules(registeredModules, moduleSystemOf(process.platform)),
      cards: openCards(),
      certify: async (privateKey) => {
        // Once in years: it needs the library that makes certificates.
        const { certifyKey } = await import('../pki/x509.ts')
        return certifyKey(privateKey, person.hostName)
      },
    })
    port = api.port
    link = openLink({
      settings,
      folders,
      log,
      command: starts ? [...selfCommand('registry'), '--attached'] : undefined,
      registration: () => ({
        protocol: protocolNumber,
        agentId: own.desk.agentId,
        username: person.username,
        hostname: person.hostName,
        port: api.port,
        pid: process.pid,
        pageKey: api.pageKey,
        allowlist: [...allowlist()],
      }),
      answer: own.desk.answerQuestion,
    })
    if (process.platform === 'win32' && settings.localCa) void trustAtStart(certificates, log)
    onAllowlist(link.refresh)
    stop = async (status) => {
      // A version that must not run on does not wait for what hangs.
      if (status !== 0) setTimeout(() => process.exit(status), endMs)
      management.stop()
      await link?.stop()
      await api.stop()
      own.stop()
      database.close()
      await readers.stop()
      log.info('stopped')
      process.exit(status)
    }
    management.begin()
    setTimeout(() => Bun.shrink(), settledMs).unref()
    process.once('SIGINT', () => stop(0))
    process.once('SIGTERM', () => stop(0))
  } catch (error) {
    log.error('cannot start', { reason: error instanceof Error ? error.message : String(error) })
    await readers.stop()
    process.exit(1)
  }
}

/** Two would share one state, and the second take the programs of this person away from the first. */
async function mustBeAlone(folders: Machine['folders']): Promise<void> {
  const answers = await askOwnApi(folders, getConnectorVersion, otherMs).then(
    () => true,
    () => false,
  )
  if (!answers) return
  throw new Error(
    `a connector of yours runs already, on port ${await ownApiPort(folders)}: end it first`,
  )
}

const shown = (state: LinkState = { kind: 'starting' }) =>
  'reason' in state ? { state: state.kind, reason: state.reason } : { state: state.kind }
