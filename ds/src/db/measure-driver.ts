/** Measures a database for the metrics: how long its statements take, and why they fail. */
import type { Metrics } from '../ports.ts'
import type { Driver } from './database.ts'
import { findStorageFaultKind } from './storage-fault.ts'

/** Reads of any length are not timed: no request waits for them. */
export function measureDriver(
  driver: Driver,
  metrics: Pick<Metrics, 'observeDatabase' | 'countStorageFault'>,
): Driver {
  const { read } = driver
  const watch = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const kind = findStorageFaultKind(error)
      if (kind !== undefined) metrics.countStorageFault(kind)
      throw error
    }
  }
  const time = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    try {
      return await watch(work)
    } finally {
      metrics.observeDatabase((performance.now() - started) / 1000)
    }
  }
  return {
    ...driver,
    run: (statement) => time(() => driver.run(statement)),
    batch: (statements) => time(() => driver.batch(statements)),
    ...(read && { read: (statement) => watch(() => read(statement)) }),
  }
}
