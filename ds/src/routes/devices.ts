/** What administrators see and change of a device. */
import {
  approveDevice,
  blockDevice,
  deleteDevice,
  getDevice,
  putDeviceTags,
  requestSync,
  unblockDevice,
} from '@cardwire/protocol'
import { and, eq } from 'drizzle-orm'
import { exists, isDistinctFrom, type OperationAudit, selectChangedFields } from '../db/audit.ts'
import { storeChangedSince } from '../db/changed-since.ts'
import { devices } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { createDeviceUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog } from '../sync/catalog.ts'
import {
  findGroups,
  listConfigurationsOf,
  listGroupIds,
  toGroupFacts,
} from '../sync/device-groups.ts'
import { listRolloutsOf } from '../sync/rollout-groups.ts'
import { prepareDevices } from './device-lists.ts'

const flags = {
  block: ['blocked', true],
  unblock: ['blocked', false],
  approve: ['approved', true],
} as const

export function bindDeviceRoutes(bind: Bind, services: Services, readCatalog: ReadCatalog): void {
  const { db } = services

  bind(getDevice, async ({ params: { id } }) => {
    const [row] = await db.select().from(devices).where(eq(devices.id, id))
    if (!row) throw createDeviceUnknownProblem(id)
    const device = (await prepareDevices(services))(row)
    const catalog = await readCatalog()
    const facts = toGroupFacts(row)
    const groups = listGroupIds(catalog, facts)
    return {
      data: {
        ...device,
        groups: findGroups(catalog, facts),
        configurations: await listConfigurationsOf(catalog, row),
        rollouts: await listRolloutsOf(services, catalog, { ...row, groups }),
      },
    }
  })

  const setFlag = async (id: string, change: keyof typeof flags, audit: OperationAudit) => {
    const mine = eq(devices.id, id)
    const [name, value] = flags[change]
    const fields = selectChangedFields(devices, mine, {
      [name]: isDistinctFrom(devices[name], value),
    })
    const [, , [row]] = await db.batch([
      audit.createEntry('device', id, fields).toStatement(exists(devices, mine)),
      storeChangedSince(db, change, mine),
      db
        .update(devices)
        .set({ [name]: value })
        .where(mine)
        .returning(),
    ])
    if (!row) throw createDeviceUnknownProblem(id)
    return { data: (await prepareDevices(services))(row) }
  }

  bind(putDeviceTags, async ({ params: { id }, body, audit }) => {
    const mine = eq(devices.id, id)
    const tags = [...new Set(body.tags)].toSorted()
    const fields = selectChangedFields(devices, mine, { tags: isDistinctFrom(devices.tags, tags) })
    const isChanged = and(mine, isDistinctFrom(devices.tags, tags))
    const [, , [row]] = await db.batch([
      audit.createEntry('device', id, fields).toStatement(exists(devices, mine)),
      storeChangedSince(db, 'addTags', isChanged),
      db.update(devices).set({ tags }).where(mine).returning(),
    ])
    if (!row) throw createDeviceUnknownProblem(id)
    return { data: (await prepareDevices(services))(row) }
  })

  bind(blockDevice, ({ params: { id }, audit }) => setFlag(id, 'block', audit))
  bind(unblockDevice, ({ params: { id }, audit }) => setFlag(id, 'unblock', audit))
  bind(approveDevice, ({ params: { id }, audit }) => setFlag(id, 'approve', audit))

  bind(requestSync, async ({ params: { id }, audit }) => {
    const mine = eq(devices.id, id)
    // The entry is all: a device that waits is woken by it.
    const entry = audit.createEntry('device', id, []).toStatement(exists(devices, mine))
    const [, [row]] = await db.batch([entry, db.select().from(devices).where(mine)])
    if (!row) throw createDeviceUnknownProblem(id)
    return { data: (await prepareDevices(services))(row) }
  })

  bind(deleteDevice, async ({ params: { id }, audit }) => {
    const mine = eq(devices.id, id)
    const [, , [row]] = await db.batch([
      audit.createEntry('device', id, []).toStatement(exists(devices, mine)),
      storeChangedSince(db, 'remove', mine),
      db.delete(devices).where(mine).returning({ id: devices.id }),
    ])
    if (!row) throw createDeviceUnknownProblem(id)
    return { data: { id } }
  })
}
