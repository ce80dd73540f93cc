/** Installs the root in the store of the machine at start, where the specification requires it (Versioning §4: Windows). */
import type { Log } from '../system/log.ts'
import type { Certificates } from './certificates.ts'

/** Without the rights to do it, the log names the command. Runs in the background and never rejects: the connector serves either way. */
export async function installTrustAtStart(
  certificates: Pick<Certificates, 'install'>,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  try {
    for (const { store, trusted, reason } of await certificates.install()) {
      if (trusted) log.info('a store trusts the root certificate', { store })
      else log.warn('a store does not trust the root certificate', { store, reason, todo })
    }
  } catch (error) {
    log.warn('the root certificate was not installed in any store', { reason: String(error), todo })
  }
}

const todo = 'run as administrator: cardwire certs install'
