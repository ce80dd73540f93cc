/** Lists the devices for administrators, and exports them as CSV. */
import { type Device, exportDevices, listDevices } from '@cardwire/client/protocol'
import { type DeviceFilter, type FoundFilter, findFilter } from '../db/device-filter.ts'
import {
  findDevicePage,
  selectDevices,
  selectDevicesAfter,
  weighDevices,
} from '../db/device-search.ts'
import type { devices } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { sendCsv } from '../http/csv-response.ts'
import { maxPartWeight, sendList, splitByWeight } from '../http/list-response.ts'
import { getDeviceStatus, getSilentDays } from '../rules/device-status.ts'
import type { Services } from '../services.ts'
import { toDay } from '../sync/record-sync.ts'

type Row = typeof devices.$inferSelect
type DeviceListServices = Pick<Services, 'reader' | 'clock' | 'settings'>

/** How many rows of an export are read at once, and kept in memory: one with all its faults has 25 kB. */
const rowsPerQuery = 200

export function bindDeviceListRoutes(bind: Bind, services: DeviceListServices): void {
  const { reader } = services

  bind(listDevices, async ({ query: { page, size, sort, ...filter } }, context) => {
    const paging = { page, size, sort, silentBefore: getSilentBefore(services) }
    const { ids, ...rest } = await findDevicePage(reader, filter, paging)
    return sendList(context, {
      parts: splitByWeight(await weighDevices(reader, ids), maxPartWeight),
      read: async (part) =>
        (await selectDevices(reader, part)).map((row) => toDevice(services, row)),
      rest,
    })
  })

  bind(exportDevices, async ({ query }, context) =>
    sendCsv(context, {
      filename: 'devices.csv',
      columns: Object.keys(cells),
      parts: readParts(query),
    }),
  )

  async function* readParts(filter: DeviceFilter) {
    const found = await findFilter(reader, filter, { silentBefore: getSilentBefore(services) })
    let after: string | undefined = ''
    while (after !== undefined) {
      const part: Awaited<ReturnType<typeof readPart>> = await readPart(found, after)
      yield part.cells
      after = part.last
    }
  }

  /** Its rows are in memory no longer than it takes to write their cells, however slowly these are read. */
  async function readPart(found: FoundFilter, after: string) {
    const rows = await selectDevicesAfter(reader, found, { limit: rowsPerQuery, after })
    return {
      cells: rows.map((row) => {
        const device = toDevice(services, row)
        return Object.values(cells).map((toCell) => toCell(device) ?? '')
      }),
      last: rows.length < rowsPerQuery ? undefined : rows.at(-1)?.id,
    }
  }
}

/** The columns of the export. */
const cells: Readonly<Record<string, (device: Device) => string | number | undefined>> = {
  id: ({ id }) => id,
  hostname: ({ device }) => device.hostname,
  username: ({ user }) => user.username,
  standing: ({ standing }) => standing,
  version: ({ version }) => version,
  platform: ({ platform }) => platform,
  os: ({ device }) => device.os,
  osVersion: ({ device }) => device.osVersion,
  architecture: ({ device }) => device.architecture,
  verdict: ({ verdict }) => verdict,
  faults: ({ faults }) => [...new Set(faults.map(({ kind }) => kind))].join(' '),
  registrations: ({ registrations }) => registrations,
  createdAt: ({ createdAt }) => createdAt,
  registeredAt: ({ registeredAt }) => registeredAt,
  lastSeenAt: ({ lastSeenAt }) => lastSeenAt,
  keystore: ({ keystore }) => keystore,
  fingerprint: ({ fingerprint }) => fingerprint,
}

/** Devices last seen before this day since 1970 are silent. */
export const getSilentBefore = ({ clock, settings }: Omit<DeviceListServices, 'reader'>) =>
  toDay(clock()) - getSilentDays(settings.cycleS)

/** A device as administrators see it. */
export function toDevice(services: Omit<DeviceListServices, 'reader'>, row: Row): Device {
  const { id, fingerprint, version, platform, device, user, blocked, approved } = row
  const iso = (time: number) => new Date(time).toISOString()
  return {
    id,
    fingerprint,
    version,
    platform,
    device,
    user,
    blocked,
    approved,
    standing: getDeviceStatus(row, getSilentBefore(services)),
    registrations: row.registrations,
    createdAt: iso(row.createdAt),
    registeredAt: iso(row.registeredAt),
    lastSeenAt: iso(row.lastSeenAt),
    ...(row.verdict !== null && { verdict: row.verdict }),
    revision: row.revision,
    ...(row.keystore !== null && { keystore: row.keystore }),
    faults: [...row.faults],
  }
}
