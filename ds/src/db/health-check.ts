/** Checks that the database can be written, and once a day that its file is whole. */
import { Problem } from '@cardwire/protocol'
import { sql } from 'drizzle-orm'
import type { Clock, Log } from '../ports.ts'
import type { Database, Driver } from './database.ts'
import { quotas } from './schema.ts'
import { createSingleFlight } from './single-flight.ts'
import { damaged, findStorageFault } from './storage-fault.ts'

/** What is wrong with the file of the database; undefined when it is whole. */
export type IntegrityCheck = () => Promise<string | undefined>

/** Reads every page of the database (sqlite.org/pragma.html#pragma_quick_check): a second for about a gigabyte. */
export const createIntegrityCheck =
  (read: Driver['run']): IntegrityCheck =>
  async () => {
    try {
      const [row] = await read({ sql: 'pragma quick_check(1)', params: [] })
      const report = String(row?.[0])
      // A line before the first fault names the database, which is always `main`.
      return report === 'ok' ? undefined : report.replace(/^\*\*\* in database main \*\*\*\n/, '')
    } catch (error) {
      // A disk that fails is another fault: a backup does not mend it.
      if (findStorageFault(error) !== damaged) throw error
      return damaged
    }
  }

interface HealthCheckServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Absent on Workers, where the platform looks after the file. It was called at the start already. */
  readonly checkIntegrity?: IntegrityCheck
}

/** How long a write counts, in milliseconds: anybody may ask, and each write waits for the disk. */
const writeIntervalMs = 5000
const integrityIntervalMs = 86_400_000

const written = { value: undefined }

/** Throws `database-unavailable`. */
export function createHealthCheck({
  db,
  clock,
  log,
  checkIntegrity,
}: HealthCheckServices): () => Promise<void> {
  let wroteAt: number | undefined
  let checkedAt = clock()
  let damage: string | undefined
  const singleFlight = createSingleFlight(clock)

  return async () => {
    const now = clock()
    if (checkIntegrity && Math.abs(now - checkedAt) >= integrityIntervalMs) {
      checkedAt = now
      damage = await checkIntegrity()
      if (damage !== undefined) log.error('database damaged', { reason: damage })
    }
    if (damage !== undefined) {
      throw new Problem(
        'database-unavailable',
        'Cannot vouch for the database: its file is damaged, restore it from a backup',
      )
    }
    const findWrite = () =>
      wroteAt !== undefined && Math.abs(now - wroteAt) < writeIntervalMs ? written : undefined
    await singleFlight('write', findWrite, write)
  }

  async function write(): Promise<void> {
    const now = clock()
    await db
      .insert(quotas)
      .values({ subject: 'health checks', day: 0, used: 1 })
      .onConflictDoUpdate({
        target: [quotas.subject, quotas.day],
        set: { used: sql`${quotas.used} + 1` },
      })
    wroteAt = now
  }
}
