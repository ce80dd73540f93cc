/** The current snapshot of the readers, and the listeners that are called when it changes. */
import { errorText } from '../../system/error-text.ts'
import type { Log } from '../../system/log.ts'
import type { PcscState, Reader, Snapshot } from './readers.ts'

export interface Snapshots {
  current(): Snapshot
  /** Makes this the current snapshot and calls the listeners; without effect when nothing has changed. */
  publish(pcsc: PcscState, readers: readonly Reader[]): void
  /** The result ends the subscription. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void
  listenerCount(): number
}

export function createSnapshots(log: Pick<Log, 'error'>): Snapshots {
  const listeners = new Set<(snapshot: Snapshot) => void>()
  // Higher than the numbers of an earlier start: a page that resumes with one of those gets a whole snapshot.
  let snapshot: Snapshot = { sequence: Date.now(), pcsc: starting, readers: [] }
  return {
    current: () => snapshot,
    publish(pcsc, readers) {
      if (Bun.deepEquals([snapshot.pcsc, snapshot.readers], [pcsc, readers])) return
      snapshot = { sequence: snapshot.sequence + 1, pcsc, readers }
      for (const listener of [...listeners]) {
        try {
          listener(snapshot)
        } catch (error) {
          log.error('listener failed', { reason: errorText(error) })
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    listenerCount: () => listeners.size,
  }
}

const starting: PcscState = {
  kind: 'down',
  code: 'SANDBOX_STARTING',
  reason: 'The sandbox is starting',
}
