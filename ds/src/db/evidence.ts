/** Whose reports count as evidence: anyone with an installation key can register devices, and make them report anything. */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Whether a device, or those that a row counts, move alarms, rollouts, metrics of faults and counters of use. */
export const isEvidence = ({
  blocked,
  approved,
}: Readonly<Record<'blocked' | 'approved', SQLWrapper>>): SQL =>
  sql`(not ${blocked} and ${approved})`
