/** Changes all devices that a filter finds, in steps, and says before how many they are. */
import {
  changeDevices,
  type DeviceChange,
  type DeviceReach,
  getDeviceReach,
  maxReachedGroups,
  Problem,
} from '@cardwire/client/protocol'
import { and, count, desc } from 'drizzle-orm'
import {
  type ChangeRow,
  findChange,
  isAffected,
  selectStep,
  storeStep,
} from '../db/device-changes.ts'
import { countDevices } from '../db/device-counts.ts'
import { type DeviceFilter, findFilter } from '../db/device-filter.ts'
import { devices } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'
import { limitAffected, sumCounts } from './count-affected.ts'
import { getSilentBefore } from './device-lists.ts'

export function bindDeviceChangeRoutes(bind: Bind, services: Services): void {
  const { db, reader, clock, random } = services

  bind(getDeviceReach, async ({ query: { change, ...filter } }) => ({
    data: await readReach(services, await findAffected(services, filter, change)),
  }))

  bind(changeDevices, async ({ params: { id }, query, body: { change }, audit }) => {
    const { maxReach = 0, ...filter } = query
    const where = await findAffected(services, filter, change)
    const row: ChangeRow = (await findChange(db, id)) ?? {
      ...{ id, change, filter: formatFilter(filter), reach: maxReach, done: 0 },
      ...{ lastId: '', step: '', createdAt: clock() },
    }
    if (row.change !== change || row.filter !== formatFilter(filter))
      throw new Problem(
        'change-taken',
        `Cannot change devices: "${id}" is the ID of another change`,
      )
    if (row.step === '') await limitAffected(maxReach, () => reader.$count(devices, where))
    const { ids, isLast } = await selectStep(reader, row, where)
    if (ids.length === 0) audit.markUnchanged()
    else await storeStep(db, audit, row, ids, random.uuid())
    const { reach, done } = (await findChange(db, id)) ?? row
    return { data: { id, change, reach, done, finished: isLast || done >= reach } }
  })
}

async function findAffected(services: Services, filter: DeviceFilter, change: DeviceChange) {
  const silence = { silentBefore: getSilentBefore(services) }
  const { where } = await findFilter(services.reader, filter, silence)
  return and(where, isAffected[change])
}

async function readReach(
  { reader, settings }: Pick<Services, 'reader' | 'settings'>,
  where: Awaited<ReturnType<typeof findAffected>>,
): Promise<DeviceReach> {
  const groups = await reader
    .select({ version: devices.version, platform: devices.platform, count: count() })
    .from(devices)
    .where(where)
    .groupBy(devices.version, devices.platform)
    .orderBy(desc(count()), devices.version, devices.platform)
  const reach = sumCounts(groups)
  const fleet = await countDevices(reader)
  const isLarge = reach > fleet * settings.reviewShare
  return { reach, isLarge, groups: groups.slice(0, maxReachedGroups) }
}

/** As a query, in one order. */
function formatFilter(filter: DeviceFilter): string {
  const fields = Object.entries(filter).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(fields)
  query.sort()
  return String(query)
}
