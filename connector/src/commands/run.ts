/** `cardwire run`: the connector of this user, until it is stopped. */

import type { Link, LinkState } from '../agent/link.ts'
import { openLink } from '../agent/open-link.ts'
import { protocolNumber } from '../agent/protocol.ts'
import { runApi } from '../api/run.ts'
import { openCards } from '../cards/open-cards.ts'
import { openCertificates } from '../certs/open-certificates.ts'
import { trustAtStart } from '../certs/trust-at-start.ts'
import { openOwnDesk } from '../consent/open-own-desk.ts'
import { openDesktop } from '../desktop/open-desktop.ts'
import { createModules, moduleSystemOf, registeredModules } from '../modules/registry.ts'
import { certifyKey } from '../pki/x509.ts'
import { superviseReaders } from '../readers/readers.ts'
import { sandboxEnvironment } from '../sandbox/role.ts'
import { openLog } from '../system/log.ts'
import { currentPerson } from '../system/person.ts'
import { type Machine, selfCommand } from './machine.ts'

/** Ends with the process; exit status 1 when nothing can be served. */
export async function run({ settings, folders }: Machine): Promise<void> {
  const log = openLog(folders.logs, 'api', { level: settings.logLevel, console: true })
  const person = currentPerson(process.env)
  const readers = superviseReaders({
    command: selfCommand('sandbox'),
    log: (event, fields) => log.warn(event, fields),
    env: sandboxEnvironment(settings),
  })
  try {
    let port: number | undefined
    let link: Link | undefined
    const certificates = openCertificates(settings, folders, log, { servedOn: () => port })
    const own = openOwnDesk({
      runtime: folders.runtime,
      username: person.username,
      hostname: person.hostName,
      port: () => port ?? 0,
      sandboxPid: readers.sandboxPid,
      desktop: openDesktop({
        platform: process.platform,
        environment: process.env,
        helper: selfCommand('desktop'),
      }),
      allowlist: () => settings.cors,
      log,
    })
    const api = await runApi({
      settings,
      folders,
      log,
      person,
      readers,
      certificates,
      consents: own.consents,
      desk: own.desk,
      registry: () => ({ ...shown(link?.state()), pid: link?.pid() ?? 0 }),
      modules: createModules(registeredModules, moduleSystemOf(process.platform)),
      cards: openCards(),
      certify: (privateKey) => certifyKey(privateKey, person.hostName),
    })
    port = api.port
    link = openLink({
      settings,
      folders,
      log,
      command: [...selfCommand('registry'), '--attached'],
      registration: () => ({
        protocol: protocolNumber,
        agentId: own.desk.agentId,
        username: person.username,
        hostname: person.hostName,
        port: api.port,
        pid: process.pid,
        pageKey: api.pageKey,
        allowlist: [...settings.cors],
      }),
      answer: own.desk.answerQuestion,
    })
    if (process.platform === 'win32') void trustAtStart(certificates, log)
    const stop = async () => {
      await link?.stop()
      await api.stop()
      own.close()
      await readers.stop()
      process.exit(0)
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  } catch (error) {
    log.error('cannot start', { reason: error instanceof Error ? error.message : String(error) })
    await readers.stop()
    process.exit(1)
  }
}

const shown = (state: LinkState = { kind: 'starting' }) =>
  'reason' in state ? { state: state.kind, reason: state.reason } : { state: state.kind }
