/** Where the specification wants it (Versioning §4: Windows), the root goes into the store of the machine at start. */
import type { Log } from '../system/log.ts'
import type { Certificates } from './certificates.ts'

/**
 * Makes the stores believe the root; where this process may not, the log says who can. Runs in the background, and never
 * rejects: the connector serves either way.
 */
export async function trustAtStart(
  certificates: Pick<Certificates, 'install'>,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  try {
    for (const { store, trusted, reason } of await certificates.install()) {
      if (trusted) log.info('a store believes the root', { store })
      else log.warn('a store does not believe the root', { store, reason, todo })
    }
  } catch (error) {
    log.warn('no store was asked to believe the root', { reason: String(error), todo })
  }
}

const todo = 'run as administrator: cardwire certs install'
