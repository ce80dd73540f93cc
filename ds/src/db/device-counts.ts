/** Counts the devices without reading them: triggers of the migrations keep `device_counts` as devices change. */
import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from './database.ts'
import { deviceCounts } from './schema.ts'

/** The devices of a group of rows, or of all that are read. */
export const total = sql<number>`coalesce(sum(${deviceCounts.count}), 0)`.mapWith(Number)

export async function countDevices(reader: Reader, where?: SQL): Promise<number> {
  const [row] = await reader.select({ total }).from(deviceCounts).where(where)
  return row?.total ?? 0
}
