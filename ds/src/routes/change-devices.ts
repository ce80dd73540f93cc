/** Changes all devices that a filter finds, in steps, and says before how many they are. */
import {
  changeDevices,
  type DeviceChange,
  type DeviceReach,
  getDeviceChange,
  getDeviceReach,
  listDeviceChanges,
  type ManyDeviceChange,
  maxReachedGroups,
  maxRefusedDevices,
  namesTags,
  Problem,
} from '@cardwire/protocol'
import { and, asc, count, desc, eq, type SQL } from 'drizzle-orm'
import { countChangedSince, isChangedBy } from '../db/changed-since.ts'
import type { Reader } from '../db/database.ts'
import {
  type ChangeRow,
  findChange,
  isKept,
  isUndo,
  selectStep,
  storeEnd,
  storeStep,
  toEffect,
} from '../db/device-changes.ts'
import { countDevices } from '../db/device-counts.ts'
import { type DeviceFilter, findFilter } from '../db/device-filter.ts'
import { hasTag } from '../db/groups.ts'
import { deviceChanges, devices } from '../db/schema.ts'
import { countGroupChanges } from '../db/tag-changes.ts'
import { findImport } from '../db/tag-imports.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage } from '../http/pagination.ts'
import { createChangeUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { requireWithin, sumCounts } from './count-affected.ts'
import { getStandingRules } from './device-lists.ts'

export function bindDeviceChangeRoutes(bind: Bind, services: Services): void {
  const { db, reader, clock, random } = services

  bind(getDeviceReach, async ({ query: { change, tags, ...filter } }) => ({
    data: await readReach(
      services,
      await findAffected(services, filter, { id: '', ...toRequest(change, tags) }),
    ),
  }))

  bind(listDeviceChanges, async ({ query }) => {
    const order = [desc(deviceChanges.createdAt), desc(deviceChanges.id)]
    const list = await selectPage(reader, deviceChanges, query, isKept(clock()), order)
    return { data: { ...list, items: await toDeviceChanges(reader, list.items) } }
  })

  bind(getDeviceChange, async ({ params: { id } }) => {
    const [row] = await reader
      .select()
      .from(deviceChanges)
      .where(and(eq(deviceChanges.id, id), isKept(clock())))
    if (!row) throw createChangeUnknownProblem(id)
    return { data: await toDeviceChange(reader, row) }
  })

  bind(changeDevices, async ({ params: { id }, query, body, audit }) => {
    const { maxReach, ...filter } = query
    const { author } = audit
    const request = toRequest(body.change, body.tags)
    const known = await findChange(db, id)
    if (!known && body.change === 'importTags' && !(await findImport(db, id))?.review)
      throw createChangeUnknownProblem(id)
    const row: ChangeRow = known ?? {
      ...{ id, ...request, filter: formatFilter(filter), done: 0 },
      ...(await countAffected(services, filter, { id, ...request })),
      ...{ lastId: '', step: '', createdAt: clock(), finished: false },
      ...{ subject: author.subject, issuer: author.issuer, name: author.name },
    }
    if (!isSame(row, { ...request, filter: formatFilter(filter) }))
      throw new Problem(
        'change-taken',
        `Cannot change devices: "${id}" is the ID of another change`,
      )
    if (row.step === '') requireWithin(maxReach ?? 0, row.reach, {}, maxReach !== undefined)
    const step = row.finished ? noStep : await findStep(services, row, filter)
    const effect = toEffect(db, row, filter.changedBy)
    if (step.ids.length > 0) await storeStep(db, audit, row, { ...step, ...effect }, random.uuid())
    else {
      audit.markUnchanged()
      await storeEnd(db, row)
    }
    const stored = (await findChange(db, id)) ?? { ...row, finished: true }
    return { data: await toDeviceChange(db, stored) }
  })
}

type Request = Pick<ChangeRow, 'change' | 'tags'>

/** Tags in one order, each once. Throws where the change needs some and has none, or has some and needs none. */
function toRequest(change: DeviceChange, tags: readonly string[] | undefined): Request {
  if (namesTags(change) === (tags !== undefined))
    return { change, tags: tags ? [...new Set(tags)].toSorted() : null }
  const message = 'expected tags with addTags and removeTags, and with no other change'
  throw new Problem('input-invalid', `Cannot accept the change: "tags": ${message}`, {
    errors: [{ path: 'tags', message }],
  })
}

type Affecting = Request & Pick<ChangeRow, 'id'>

type Sent = Request & Pick<ChangeRow, 'filter'>

const isSame = (row: ChangeRow, { change, tags, filter }: Sent): boolean =>
  row.change === change &&
  row.filter === filter &&
  JSON.stringify(row.tags) === JSON.stringify(tags)

/** The devices of another change are read in its own order: with the filter, each step would read all of them. */
async function findStep(
  services: Services,
  row: ChangeRow,
  { changedBy, ...filter }: DeviceFilter,
) {
  const { reader } = services
  const { where } = await findAffected(services, filter, row, changedBy)
  const isUndone = await isUndo(reader, row.change, changedBy)
  return selectStep(reader, row, { where, changedBy, isUndone })
}

const noStep = { ids: [], isLast: true }

const toDeviceChange = async (reader: Reader, row: ChangeRow): Promise<ManyDeviceChange> =>
  formatChange(row, await countChangedSince(reader, [row.id]))

async function toDeviceChanges(reader: Reader, rows: readonly ChangeRow[]) {
  const ids = rows.map(({ id }) => id)
  const counts = await countChangedSince(reader, ids)
  return rows.map((row) => formatChange(row, counts))
}

function formatChange(row: ChangeRow, counts: ReadonlyMap<string, number>): ManyDeviceChange {
  const { id, change, filter, reach, done, finished, createdAt, subject, issuer, name } = row
  const { tags, refused } = row
  const who = { subject, ...(issuer !== null && { issuer }), name }
  const changedSince = counts.get(id) ?? 0
  const at = new Date(createdAt).toISOString()
  return {
    ...{ id, change, filter, reach, done, changedSince, finished, at, who },
    ...(tags && { tags: [...tags] }),
    ...(change === 'addTags' && { refused }),
  }
}

/** A device reports any tag, and to be approved gives it keystores: only a tag from an administrator counts for that. */
const requireGivenTag = ({ sqlDialect }: Reader, { tag }: DeviceFilter, { change }: Request) =>
  change === 'approve' && tag !== undefined ? hasTag(sqlDialect, tag) : undefined

/** `left`: the devices that an undo leaves as they are. `refused`: those that would have too many tags. */
async function findAffected(
  services: Services,
  filter: DeviceFilter,
  request: Affecting,
  undone = filter.changedBy,
) {
  const { reader } = services
  const listed = await findFilter(reader, filter, getStandingRules(services))
  const where = and(listed.where, requireGivenTag(reader, filter, request))
  const { affected, tagChange } = toEffect(reader, request, undone)
  const { changedBy } = filter
  const found = { tagChange, refused: tagChange?.refused && and(where, tagChange.refused) }
  if (changedBy === undefined || !(await isUndo(reader, request.change, changedBy)))
    return { ...found, where: and(where, affected), left: undefined }
  return {
    ...found,
    where: and(where, affected, isChangedBy(changedBy, false)),
    left: and(where, isChangedBy(changedBy, true)),
  }
}

type Affected = Awaited<ReturnType<typeof findAffected>>

async function countAffected(services: Services, filter: DeviceFilter, request: Affecting) {
  const { reader } = services
  const { where, refused } = await findAffected(services, filter, request)
  return {
    reach: await reader.$count(devices, where),
    refused: refused ? await reader.$count(devices, refused) : 0,
  }
}

async function readReach(
  { reader, settings }: Pick<Services, 'reader' | 'settings'>,
  { where, left, refused, tagChange }: Affected,
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
  const changedSince = left === undefined ? 0 : await reader.$count(devices, left)
  return {
    ...{ reach, isLarge, groups: groups.slice(0, maxReachedGroups), changedSince },
    ...(tagChange && {
      tagged: {
        refused: await readRefused(reader, refused),
        groups: reach > 0 ? await countGroupChanges(reader, tagChange, where, reach) : [],
      },
    }),
  }
}

async function readRefused(reader: Reader, refused: SQL | undefined) {
  if (!refused) return { count: 0, devices: [] }
  const found = await reader
    .select({ id: devices.id, device: devices.device })
    .from(devices)
    .where(refused)
    .orderBy(asc(devices.id))
    .limit(maxRefusedDevices)
  return {
    count: found.length < maxRefusedDevices ? found.length : await reader.$count(devices, refused),
    devices: found.map(({ id, device: { hostname } }) => ({
      id,
      ...(hostname !== undefined && { hostname }),
    })),
  }
}

/** As a query, in one order. */
function formatFilter(filter: DeviceFilter): string {
  const fields = Object.entries(filter).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(fields)
  query.sort()
  return String(query)
}
