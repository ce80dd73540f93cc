/** Rate limits that the nodes of a service count together, in their PostgreSQL database. */
import type { Driver } from '../db/database.ts'
import type { Limits } from '../ports.ts'
import { registrationSettings } from '../rules/new-device-limits.ts'
import { type LimitSettings, limitPeriodS, toLimitPoints } from './memory-limits.ts'

/** How often each node deletes what is over, in milliseconds. */
const cleanupIntervalMs = 60_000

const period = `interval '${limitPeriodS} s'`

/** Whether a period is over, or lies further off than one can: the clock of the database was set back. */
const isOver = `(stored.ends_at <= clock_timestamp() or stored.ends_at > clock_timestamp() + ${period})`

const consume = `
  insert into rate_limits as stored (name, key, used, ends_at)
  values (?, ?, 1, clock_timestamp() + ${period})
  on conflict (name, key) do update set
    used = case when ${isOver} then 1 else stored.used + 1 end,
    ends_at = case when ${isOver} then clock_timestamp() + ${period} else stored.ends_at end
  returning used, extract(epoch from ends_at - clock_timestamp())`

const refund = 'update rate_limits set used = greatest(used - 1, 0) where name = ? and key = ?'

const admitLogin = `
  insert into rate_limits as stored (name, key, used, ends_at)
  values ('admitted-login', ?, 1, clock_timestamp() + ?::bigint * interval '1 ms')
  on conflict (name, key) do update set ends_at = excluded.ends_at where ${isOver}
  returning 1`

const cleanUp = 'delete from rate_limits where ends_at < clock_timestamp()'

/** The times are those of the database's clock: those of the nodes differ. */
export function createSharedLimits(
  driver: Driver,
  settings: LimitSettings,
  uptime = () => performance.now(),
): Limits {
  const points = toLimitPoints(settings)
  let cleanedAt = uptime()
  return {
    registrationSetting: registrationSettings.environment,
    async consume(name, key) {
      if (uptime() - cleanedAt >= cleanupIntervalMs) {
        cleanedAt = uptime()
        await driver.run({ sql: cleanUp, params: [] })
      }
      const [row] = await driver.run({ sql: consume, params: [name, key] })
      const [used, leftS] = row as readonly [number, number]
      return used > points[name] ? Math.max(leftS, 0) : undefined
    },
    async refund(name, key) {
      await driver.run({ sql: refund, params: [name, key] })
    },
    async admitLogin(address, intervalMs) {
      const rows = await driver.run({ sql: admitLogin, params: [address, intervalMs] })
      return rows.length > 0
    },
  }
}
