/** `cardwire run`: the connector of this user, until it is stopped. */
import { runApi } from '../api/run.ts'
import { openCards } from '../cards/open-cards.ts'
import { openCertificates } from '../certs/open-certificates.ts'
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
    const certificates = openCertificates(settings, folders, log, { servedOn: () => port })
    const api = await runApi({
      settings,
      folders,
      log,
      person,
      readers,
      certificates,
      modules: createModules(registeredModules, moduleSystemOf(process.platform)),
      cards: openCards(),
      certify: (privateKey) => certifyKey(privateKey, person.hostName),
    })
    port = api.port
    const stop = async () => {
      await api.stop()
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
