/** Lists the devices for administrators, and exports them as CSV. */
import { type Device, exportDevices, listDevices } from '@cardwire/protocol'
import {
  type DeviceFilter,
  type FoundFilter,
  findFilter,
  type StandingRules,
} from '../db/device-filter.ts'
import {
  findDevicePage,
  selectDevices,
  selectDevicesAfter,
  weighDevices,
} from '../db/device-search.ts'
import { type devices, versions } from '../db/schema.ts'
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
    const paging = { page, size, sort, ...getStandingRules(services) }
    const toDevice = await prepareDevices(services)
    const { ids, ...rest } = await findDevicePage(reader, filter, paging)
    return sendList(context, {
      parts: splitByWeight(await weighDevices(reader, ids), maxPartWeight),
      read: async (part) => (await selectDevices(reader, part)).map(toDevice),
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
    const found = await findFilter(reader, filter, getStandingRules(services))
    const toDevice = await prepareDevices(services)
    let after: string | undefined = ''
    while (after !== undefined) {
      const part: Awaited<ReturnType<typeof readPart>> = await readPart(found, after, toDevice)
      yield part.cells
      after = part.last
    }
  }

  /** Its rows are in memory no longer than it takes to write their cells, however slowly these are read. */
  async function readPart(found: FoundFilter, after: string, toDevice: ToDevice) {
    const rows = await selectDevicesAfter(reader, found, { limit: rowsPerQuery, after })
    return {
      cells: rows.map((row) => {
        const device = toDevice(row)
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
  tags: ({ tags }) => tags.join(' '),
  reportedTags: ({ device }) => device.tags?.join(' '),
}

/** What the standings of devices depend on now. */
export const getStandingRules = ({
  clock,
  settings,
}: Omit<DeviceListServices, 'reader'>): StandingRules => ({
  silentBefore: toDay(clock()) - getSilentDays(settings.cycleS),
  implicitVersions: settings.implicitVersions,
})

type ToDevice = (row: Row) => Device

/** Returns a function that makes of a row a device as administrators see it. */
export async function prepareDevices(services: DeviceListServices): Promise<ToDevice> {
  const { silentBefore, implicitVersions } = getStandingRules(services)
  const rows = await services.reader.select({ id: versions.id }).from(versions)
  const registered = new Set(rows.map(({ id }) => id))
  return (row) => {
    const served = implicitVersions || registered.has(row.version)
    return toDevice(row, getDeviceStatus({ ...row, served }, silentBefore))
  }
}

function toDevice(row: Row, standing: Device['standing']): Device {
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
    standing,
    registrations: row.registrations,
    createdAt: iso(row.createdAt),
    registeredAt: iso(row.registeredAt),
    lastSeenAt: iso(row.lastSeenAt),
    ...(row.verdict !== null && { verdict: row.verdict }),
    revision: row.revision,
    ...(row.keystore !== null && { keystore: row.keystore }),
    tags: [...row.tags],
    faults: [...row.faults],
  }
}
