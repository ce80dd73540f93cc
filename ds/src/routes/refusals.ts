/** Why connectors are not registered: lists the refused registrations, and checks an installation key. */
import { checkInstallationKey, listRefusals } from '@cardwire/client/protocol'
import { and, desc, eq, gte } from 'drizzle-orm'
import { readClientAddress } from '../auth/authorize.ts'
import { readQuota } from '../db/quota.ts'
import { getRefusalHorizon } from '../db/refusals.ts'
import { refusals } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage } from '../http/pagination.ts'
import { listNewDeviceLimits } from '../rules/new-device-limits.ts'
import type { Services } from '../services.ts'
import { toDay } from '../sync/record-sync.ts'

type Row = typeof refusals.$inferSelect

export function bindRefusalRoutes(bind: Bind, services: Services): void {
  const { db, reader, clock, settings } = services

  bind(listRefusals, async ({ query: { reason, address, ...paging } }) => {
    const where = and(
      gte(refusals.lastAt, getRefusalHorizon(clock())),
      reason === undefined ? undefined : eq(refusals.reason, reason),
      address === undefined ? undefined : eq(refusals.address, address),
    )
    const order = [desc(refusals.lastAt), desc(refusals.id)]
    const list = await selectPage(reader, refusals, paging, where, order)
    return { data: { ...list, items: list.items.map(toRefusal) } }
  })

  bind(checkInstallationKey, async ({ caller }, context) => {
    if (caller.kind !== 'installer') throw new Error('Cannot check: the caller is no installer')
    const { version } = caller
    const day = toDay(clock())
    const limits = listNewDeviceLimits(settings, version, readClientAddress(services, context))
    const used = await Promise.all(limits.map(({ subject }) => readQuota(db, { subject, day })))
    context.header('cache-control', 'no-store')
    return {
      data: { version, newDevices: limits.every(({ limit }, at) => (used[at] ?? 0) < limit) },
    }
  })
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
