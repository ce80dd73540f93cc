/** Stores a synchronization: what the device reports, its counters, and once a day what depends on the day. */
import type { CounterBatch } from '@cardwire/protocol'
import type { DeviceAssertion } from '../auth/assertion.ts'
import { createReplayedProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { createCountStatements, selectBatches, toCountedDay } from './count-batches.ts'
import { createFleetDayCount } from './fleet-days.ts'
import { createSyncUpdate, isFirstOfDay, prepareSyncUpdate } from './record-sync.ts'
import { createUnseenDeviceRemoval } from './remove-unseen-devices.ts'
import { createUseListing } from './unique-devices.ts'

/** Stores what a device reports. Throws `assertion-replayed` where a later request of it is stored. */
type StoreSync = (
  assertion: DeviceAssertion,
  values: Parameters<typeof createSyncUpdate>[2],
  batches: readonly CounterBatch[],
) => Promise<{ readonly revision: number; readonly acknowledged: readonly CounterBatch[] }>

export function createSyncStore(services: Services): StoreSync {
  const { db } = services
  const updateDevice = prepareSyncUpdate(db)
  const countFleetDays = createFleetDayCount(services)
  const listUsedLabels = createUseListing(services)
  const removeUnseenDevices = createUnseenDeviceRemoval(services)

  return async (assertion, values, batches) => {
    const { now } = values
    const isFirst = isFirstOfDay(assertion, now)
    if (isFirst) await countFleetDays(now)
    const taken = await selectBatches(services, values.id, batches, now)
    const fresh = taken.acknowledged.filter((batch) => !taken.repeated.includes(batch))
    const { fingerprint } = assertion.device
    const used = await listUsedLabels(fingerprint, fresh, now, (day) => toCountedDay(day, now))
    const counts = createCountStatements(db, assertion, batches, taken, used, now)
    const [[updated], counted] =
      counts.length === 0 && !isFirst
        ? [await updateDevice(assertion, values)]
        : await storeWithCounts(createSyncUpdate(db, assertion, values), counts)
    if (!updated) throw createReplayedProblem()
    if (isFirst) await removeUnseenDevices(now)
    return {
      revision: updated.revision,
      acknowledged: counted === 0 ? taken.repeated : taken.acknowledged,
    }
  }

  /** The row of the device, and how many rows the last statement returned: none when a limit was used up meanwhile. */
  async function storeWithCounts(
    update: ReturnType<typeof createSyncUpdate>,
    counts: ReturnType<typeof createCountStatements>,
  ) {
    const results = await db.batch([update, ...counts])
    const last: unknown = results.at(-1)
    return [results[0], Array.isArray(last) ? last.length : undefined] as const
  }
}
