/** Removes the devices that were not seen for DS_DEVICE_RETENTION_DAYS and the days before, unless the clock has jumped; used quotas, old refusals, old changes of many devices, and the unique devices of months that are over. */
import { and, eq, lt, not, sql } from 'drizzle-orm'
import { createAudit, localSource } from '../db/audit.ts'
import { deletePart, rowsPerPart } from '../db/delete-part.ts'
import { describeError } from '../db/describe-error.ts'
import { removeOldChanges } from '../db/device-changes.ts'
import { createQuotaCleanup } from '../db/quota.ts'
import { createRefusalCleanup } from '../db/refusals.ts'
import { clockReadings, departedBatches, devices, fleetDays } from '../db/schema.ts'
import { removeOldImports } from '../db/tag-imports.ts'
import { foldMonth } from '../db/unique-devices.ts'
import { readClock, toReadingDay, toRemovalDay } from '../rules/steady-clock.ts'
import type { Services } from '../services.ts'
import { toDay } from './record-sync.ts'

/** The only row of the readings. */
const rowId = 1

type RemovalServices = Pick<Services, 'db' | 'reader' | 'clock' | 'uptime' | 'settings' | 'log'>

/**
 * To be called with the first request of a device on a day. Works once a day for each process, or with each call as long as
 * there is more to remove, and never fails a request.
 * Blocked devices stay: a block must not end by itself.
 */
export function createUnseenDeviceRemoval(
  services: RemovalServices,
): (now: number) => Promise<void> {
  const { db, uptime, log } = services
  let checkedDay: number | undefined
  /** When this process recorded its last reading. */
  let recordedAt: number | undefined

  return async (now) => {
    const today = toDay(now)
    if (checkedDay === today) return
    checkedDay = today
    try {
      await createRefusalCleanup(db, now)
      const isMore = [
        (await createQuotaCleanup(db, today)).length === rowsPerPart,
        await removeOldChanges(db, now),
        await removeOldImports(db, now),
        ...((await recordReading(now)) <= today
          ? [await removeDevices(services, today), await foldMonth(services, now)]
          : []),
      ]
      if (isMore.includes(true)) checkedDay = undefined
    } catch (error) {
      checkedDay = undefined
      log.error('devices not removed', { error: describeError(error) })
    }
  }

  /** Returns the day from which devices may be removed. */
  async function recordReading(now: number): Promise<number> {
    const [before] = await db.select().from(clockReadings).where(eq(clockReadings.id, rowId))
    const today = toReadingDay(before, now)
    const upFor = uptime()
    const elapsedDays = recordedAt === undefined ? undefined : (upFor - recordedAt) / 86_400_000
    const after = readClock(before, today, elapsedDays)
    await db
      .insert(clockReadings)
      .values({ id: rowId, ...after })
      .onConflictDoUpdate({ target: clockReadings.id, set: after })
    recordedAt = upFor
    const removalDay = toRemovalDay(after)
    if (before && after.steadySince !== before.steadySince) {
      const removalsFrom = new Date(removalDay * 86_400_000).toISOString().slice(0, 10)
      log.warn('clock jumped', { days: today - before.day, removalsFrom })
    }
    return removalDay
  }
}

/** Resolves with whether there may be more. */
async function removeDevices(services: RemovalServices, today: number): Promise<boolean> {
  const { db, settings, log } = services
  const firstDay = today - settings.deviceRetentionDays
  const isUnseen = and(lt(devices.lastSeenDay, firstDay), not(devices.blocked))
  const found = await db.select({ id: devices.id }).from(devices).where(isUnseen).limit(rowsPerPart)
  const ids = db.sqlDialect.eachText(JSON.stringify(found.map(({ id }) => id)))
  const isRemoved = and(isUnseen, sql`${devices.id} in (select value from ${ids})`)
  const audit = createAudit(services, 'removeUnseenDevices', localSource)
  // Batches of a removed device are kept for as long once more: it may come back.
  const isForgotten = lt(departedBatches.lastSeenDay, today - 2 * settings.deviceRetentionDays)
  const { fingerprint, id } = departedBatches
  const [, removed, forgotten] = await db.batch([
    audit.createEntryOfEach('device', devices, devices.id, isRemoved),
    db.delete(devices).where(isRemoved).returning({ id: devices.id }),
    deletePart(db, departedBatches, { fingerprint, id }, isForgotten),
    db.delete(fleetDays).where(lt(fleetDays.day, firstDay)),
  ])
  if (removed.length > 0) log.info('devices removed', { devices: removed.length })
  return [removed, forgotten].some(({ length }) => length === rowsPerPart)
}
