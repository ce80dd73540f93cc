/** The counter batches of a synchronization: when they cannot be read or deleted, the synchronization goes on without. */
import type { SyncRequest } from '@cardwire/protocol/sync'
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import type { Faults } from './faults.ts'

type Batches = SyncRequest['batches']

/** The counters whose batches are sent. Both functions may throw. */
export interface BatchSource {
  /** A batch is sent unchanged until it is acknowledged. */
  batches(): Batches
  /** The service has counted these; they are never sent again. */
  acknowledge(ids: readonly string[]): void
}

export interface CounterBatches {
  /** undefined: they cannot be read. Never throws. */
  read(): Batches | undefined
  /** Deletes the batches that the service has counted, of those that were read for this synchronization. Never throws. */
  acknowledge(ids: readonly string[], read: Batches | undefined): void
}

const faultKind = 'counters-failed'

export function createCounterBatches(
  source: BatchSource,
  faults: Pick<Faults, 'set' | 'clear'>,
  log: Pick<Log, 'error'>,
): CounterBatches {
  function report(event: string, error: unknown): void {
    log.error(event, { reason: errorText(error) })
    faults.set(faultKind, errorText(error))
  }

  return {
    read() {
      try {
        return source.batches()
      } catch (error) {
        report('counts not sent', error)
        return undefined
      }
    },
    acknowledge(ids, read) {
      try {
        source.acknowledge(ids)
        if (read) faults.clear(faultKind)
      } catch (error) {
        // They are sent again, and the service recognizes them by their ids.
        report('counts not acknowledged', error)
      }
    },
  }
}
