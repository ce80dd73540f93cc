/** Devices: how they register, and what administrators see and decide of them. */
import {
  blockDevice,
  type Device,
  deleteDevice,
  getDevice,
  listDevices,
  Problem,
  registerDevice,
  unblockDevice,
} from '@cardwire/client/protocol'
import { and, desc, eq, gt, lt, not, sql } from 'drizzle-orm'
import { calculateJwkThumbprint } from 'jose'
import { assertedKey, blocked, dayOf } from '../auth/assertion.ts'
import { type Audit, changedFields, differs, there } from '../db/audit.ts'
import { devices } from '../db/schema.ts'
import type { Catalog } from '../fleet/catalog.ts'
import { catalogWith } from '../fleet/known-version.ts'
import type { Services } from '../services.ts'
import { type Bind, originOf } from './bind.ts'
import { pageOf } from './lists.ts'

type Row = typeof devices.$inferSelect

export function deviceRoutes(bind: Bind, services: Services, read: () => Promise<Catalog>): void {
  const { db, clock, random, keyring, settings, url } = services

  bind(registerDevice, async ({ body: { key, ...said }, caller }, context) => {
    if (caller.kind !== 'installer') throw new Error('Cannot register: the caller is no installer')
    const fingerprint = await calculateJwkThumbprint(key)
    await assertedKey(services, context, key, fingerprint)
    await catalogWith(services, read, said.version, () => ({
      operation: registerDevice.name,
      origin: {
        ...originOf(services, context),
        who: { subject: fingerprint, issuer: null, name: 'device' },
      },
    }))
    const now = clock()
    const seen = { registeredAt: now, lastSeenAt: now, lastSeenDay: dayOf(now) }
    const first = { registrations: 1, createdAt: now, assertedAt: 0, revision: 0, blocked: false }
    const [row] = await db
      .insert(devices)
      .values({
        id: random.uuid(),
        fingerprint,
        key,
        ...said,
        ...seen,
        ...first,
        user: {},
        faults: [],
      })
      .onConflictDoUpdate({
        target: devices.fingerprint,
        set: { ...said, ...seen, registrations: sql`${devices.registrations} + 1` },
        setWhere: not(devices.blocked),
      })
      .returning({ id: devices.id, registrations: devices.registrations })
    if (!row) throw blocked()
    context.header('cache-control', 'no-store')
    const replyKeys = (await keyring.list('reply')).map(({ jwk }) => jwk)
    const data = { id: row.id, url, replyKeys, cycle: settings.cycleS }
    return { created: row.registrations === 1, data }
  })

  bind(listDevices, async ({ query: { seenBefore, seenAfter, hostname, ...query } }) => {
    const { version, os, verdict, blocked: wanted, ...paging } = query
    const where = and(
      version === undefined ? undefined : eq(devices.version, version),
      os === undefined ? undefined : eq(devices.platform, os),
      verdict === undefined ? undefined : eq(devices.verdict, verdict),
      wanted === undefined ? undefined : eq(devices.blocked, wanted),
      seenBefore === undefined ? undefined : lt(devices.lastSeenAt, Date.parse(seenBefore)),
      seenAfter === undefined ? undefined : gt(devices.lastSeenAt, Date.parse(seenAfter)),
      hostname === undefined
        ? undefined
        : sql`instr(lower(${devices.device} ->> 'hostname'), lower(${hostname})) > 0`,
    )
    const list = await pageOf(db, devices, paging, where, [desc(devices.lastSeenAt), devices.id])
    return { data: { ...list, items: list.items.map(present) } }
  })

  bind(getDevice, async ({ params: { id } }) => {
    const [row] = await db.select().from(devices).where(eq(devices.id, id))
    if (!row) throw deviceUnknown(id)
    return { data: present(row) }
  })

  const setBlocked = async (id: string, value: boolean, audit: Audit) => {
    const mine = eq(devices.id, id)
    const fields = changedFields(devices, mine, { blocked: differs(devices.blocked, value) })
    const [, [row]] = await db.batch([
      audit.entry('device', id, fields).statement(there(devices, mine)),
      db.update(devices).set({ blocked: value }).where(mine).returning(),
    ])
    if (!row) throw deviceUnknown(id)
    return { data: present(row) }
  }

  bind(blockDevice, ({ params: { id }, audit }) => setBlocked(id, true, audit))
  bind(unblockDevice, ({ params: { id }, audit }) => setBlocked(id, false, audit))

  bind(deleteDevice, async ({ params: { id }, audit }) => {
    const mine = eq(devices.id, id)
    const [, [row]] = await db.batch([
      audit.entry('device', id, []).statement(there(devices, mine)),
      db.delete(devices).where(mine).returning({ id: devices.id }),
    ])
    if (!row) throw deviceUnknown(id)
    return { data: { id } }
  })
}

export const deviceUnknown = (id: string) =>
  new Problem('device-unknown', `Cannot find device "${id}": it is not registered`)

function present(row: Row): Device {
  const { id, fingerprint, version, platform, device, user, blocked, registrations } = row
  const iso = (time: number) => new Date(time).toISOString()
  return {
    ...{ id, fingerprint, version, platform, device, user, blocked, registrations },
    createdAt: iso(row.createdAt),
    registeredAt: iso(row.registeredAt),
    lastSeenAt: iso(row.lastSeenAt),
    ...(row.verdict !== null && { verdict: row.verdict }),
    revision: row.revision,
    ...(row.keystore !== null && { keystore: row.keystore }),
    faults: [...row.faults],
  }
}
