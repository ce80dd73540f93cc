/** Why connectors are not registered: lists the refused registrations, and checks an installation key. */
import {
  checkInstallationKey,
  countRefusals,
  type Input,
  listRefusals,
  maxRefusalGroups,
} from '@cardwire/protocol'
import { and, desc, eq, gte, lt, or, type SQL } from 'drizzle-orm'
import { readClientAddress } from '../auth/authorize.ts'
import type { Dialect } from '../db/dialect.ts'
import { readQuota } from '../db/quota.ts'
import { getRefusalHorizon } from '../db/refusals.ts'
import { refusals } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage } from '../http/pagination.ts'
import { listNewDeviceLimits } from '../rules/new-device-limits.ts'
import { groupRefusals, toPrefix } from '../rules/refusal-groups.ts'
import type { Services } from '../services.ts'
import { toDay } from '../sync/record-sync.ts'

type Row = typeof refusals.$inferSelect
type Filter = Omit<Input<typeof listRefusals>['query'], 'page' | 'size'>

export function bindRefusalRoutes(bind: Bind, services: Services): void {
  const { db, reader, clock, settings } = services
  const toWhere = (filter: Filter) =>
    and(gte(refusals.lastAt, getRefusalHorizon(clock())), toCondition(reader.sqlDialect, filter))

  bind(listRefusals, async ({ query: { page, size, ...filter } }) => {
    const where = toWhere(filter)
    const order = [desc(refusals.lastAt), desc(refusals.id)]
    const list = await selectPage(reader, refusals, { page, size }, where, order)
    return { data: { ...list, items: list.items.map(toRefusal) } }
  })

  bind(countRefusals, async ({ query }) => {
    const { reason, version, keyVersion, detail, address, count, lastAt } = refusals
    const rows = await reader
      .select({ reason, version, keyVersion, detail, address, count, lastAt })
      .from(refusals)
      .where(toWhere(query))
    const groups = groupRefusals(rows).slice(0, maxRefusalGroups)
    const items = groups.map(({ version, keyVersion, lastAt, ...group }) => ({
      ...group,
      ...(version !== null && { version }),
      ...(keyVersion !== null && { keyVersion }),
      lastAt: new Date(lastAt).toISOString(),
    }))
    return { data: { items } }
  })

  bind(checkInstallationKey, async ({ caller }, context) => {
    if (caller.kind !== 'installer') throw new Error('Cannot check: the caller is not an installer')
    const { version } = caller
    const day = toDay(clock())
    const limits = listNewDeviceLimits(settings, version, readClientAddress(services, context))
    const used = await Promise.all(limits.map(({ subject }) => readQuota(db, { subject, day })))
    return {
      data: { version, newDevices: limits.every(({ limit }, at) => (used[at] ?? 0) < limit) },
    }
  })
}

const toCondition = (
  dialect: Dialect,
  { reason, address, version, hostname, fingerprint, network, q }: Filter,
): SQL | undefined =>
  and(
    reason === undefined ? undefined : eq(refusals.reason, reason),
    address === undefined ? undefined : eq(refusals.address, address),
    version === undefined
      ? undefined
      : or(eq(refusals.version, version), eq(refusals.keyVersion, version)),
    hostname === undefined ? undefined : dialect.contains(refusals.hostname, hostname),
    fingerprint === undefined ? undefined : eq(refusals.fingerprint, fingerprint),
    network === undefined ? undefined : isInNetwork(network),
    q === undefined
      ? undefined
      : or(
          eq(refusals.fingerprint, q),
          ...[refusals.hostname, refusals.address, refusals.requestId].map((column) =>
            dialect.contains(column, q),
          ),
        ),
  )

function isInNetwork(network: string): SQL | undefined {
  const prefix = toPrefix(network)
  return prefix === undefined
    ? eq(refusals.address, network)
    : // A slash comes after a dot.
      and(gte(refusals.address, prefix), lt(refusals.address, prefix.replace(/\.$/, '/')))
}

function toRefusal({ address, reason, detail, count, requestId, ...row }: Row) {
  const { firstAt, lastAt, fingerprint, keyVersion, version, platform, hostname } = row
  return {
    address,
    reason,
    detail,
    count,
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    requestId,
    ...(keyVersion !== null && { keyVersion }),
    ...(fingerprint !== '' && { fingerprint }),
    ...(version !== null && { version }),
    ...(platform !== null && { platform }),
    ...(hostname !== null && { hostname }),
  }
}
