/** The entries of all allowlists, for preflights: a set, which one request reads again after the audit has a new entry. */
import { eq, sql } from 'drizzle-orm'
import { newestSequence } from '../db/audit.ts'
import { audit, configurations } from '../db/schema.ts'
import type { Services } from '../services.ts'
import { createSingleFlight } from './single-flight.ts'

/** Strangers ask: reading takes a tenth of a second where there are many, so it never happens twice at once. */
export function createAllowedOriginsReader({
  db,
  clock,
}: Pick<Services, 'db' | 'clock'>): () => Promise<ReadonlySet<string>> {
  const selectNewest = db.select({ sequence: newestSequence }).from(audit).limit(1).prepare()
  const singleFlight = createSingleFlight(clock)
  /** Counts arrivals and readings: which came first, whatever the clock does meanwhile. */
  let turn = 0
  let cached:
    | {
        readonly sequence: number | null
        readonly turn: number
        readonly value: ReadonlySet<string>
      }
    | undefined

  return async () => {
    turn += 1
    const arrivedInTurn = turn
    const sequence = (await selectNewest.get())?.sequence ?? null
    const find = () =>
      cached && (cached.sequence === sequence || cached.turn > arrivedInTurn) ? cached : undefined
    return singleFlight('origins', find, () => read(sequence))
  }

  async function read(sequence: number | null): Promise<ReadonlySet<string>> {
    turn += 1
    const startedInTurn = turn
    const rows = await db
      .selectDistinct({ value: sql<string>`entry.value` })
      .from(
        sql`${configurations}, ${db.sqlDialect.eachText(configurations.config, 'cors')} as entry`,
      )
      .where(eq(configurations.type, 'CONTEXT_CONFIG'))
    const value = new Set(rows.map((row) => row.value))
    cached = { sequence, turn: startedInTurn, value }
    return value
  }
}
