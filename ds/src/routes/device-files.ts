/** Files that devices exchange with the service: they download keystores and upload logs. */
import {
  downloadKeystore,
  downloadLogs,
  logMedia,
  Problem,
  uploadLogs,
} from '@cardwire/client/protocol'
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { readClientAddress, requireDevice } from '../auth/authorize.ts'
import { enforceLimit } from '../auth/rate-limit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { configurations, deviceLogs, devices } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { toPackageKey } from '../packages/packages.ts'
import { base64ToBytes, bytesToBase64 } from '../rules/encoding.ts'
import { createDeviceUnknownProblem, createReplayedProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { createAssertionUpdate } from '../sync/record-sync.ts'

export function bindDeviceFileRoutes(bind: Bind, services: Services): void {
  const { db, clock, packages, log, limits, settings } = services

  bind(downloadKeystore, async ({ caller }, context) => {
    const assertion = requireDevice(caller)
    const { version, approved } = assertion.device
    const [updated] = await createAssertionUpdate(db, assertion, clock())
    if (!updated) throw createReplayedProblem()
    if (!approved) {
      throw new Problem(
        'keystore-unknown',
        'Cannot send the keystore: an administrator has to approve this device first',
      )
    }
    const [row] = await db
      .select()
      .from(configurations)
      .where(and(eq(configurations.versionId, version), eq(configurations.type, 'SSL_KEYSTORE')))
    const key = row && 'uri' in row.config ? toPackageKey(row.config.uri) : undefined
    const file = key === undefined ? undefined : await packages.find(key)
    if (!file) {
      if (row && key !== undefined)
        log.error('keystore missing', { version, configuration: row.id })
      throw new Problem(
        'keystore-unknown',
        `Cannot send the keystore of version "${version}": the service has none`,
      )
    }
    context.header('cache-control', 'no-store')
    const client = readClientAddress(services, context)
    return context.body(file.size === 0 ? '' : await file.read(0, file.size - 1, client), 200, {
      'content-type': 'application/x-pkcs12',
      'content-length': String(file.size),
    })
  })

  bind(uploadLogs, async ({ body, caller }, context) => {
    const assertion = requireDevice(caller)
    const address = readClientAddress(services, context)
    await enforceLimit(limits, 'failure', `logs of ${address}`, 'store so many logs')
    const receivedAt = clock()
    const media = readLogMedia(context)
    const content = { media, bytes: bytesToBase64(body), receivedAt }
    const [updated] = await createAssertionUpdate(db, assertion, receivedAt)
    if (!updated) throw createReplayedProblem()
    const oldest = sql`select ${deviceLogs.deviceId} from ${deviceLogs}
      order by ${deviceLogs.receivedAt} desc limit ${sql.raw(String(allRows))} offset ${settings.logsKept}`
    const { id: deviceId } = assertion.device
    await mapConstraintError(
      db.batch([
        db
          .insert(deviceLogs)
          .values({ deviceId, ...content })
          .onConflictDoUpdate({ target: deviceLogs.deviceId, set: content }),
        db.delete(deviceLogs).where(sql`${deviceLogs.deviceId} in (${oldest})`),
      ]),
      // An administrator has deleted the device since its request was recorded.
      ({ kind }) => (kind === 'reference' ? createDeviceUnknownProblem(deviceId) : undefined),
    )
    return { data: { size: body.length, receivedAt: new Date(receivedAt).toISOString() } }
  })

  bind(downloadLogs, async ({ params: { id } }, context) => {
    const [row] = await db.select().from(deviceLogs).where(eq(deviceLogs.deviceId, id))
    if (!row) {
      if ((await db.$count(devices, eq(devices.id, id))) === 0) throw createDeviceUnknownProblem(id)
      throw new Problem('logs-unknown', `Cannot show logs of device "${id}": it has sent none`)
    }
    const ending = row.media === 'application/gzip' ? 'log.gz' : 'log'
    return context.body(base64ToBytes(row.bytes), 200, {
      'content-type': row.media,
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${id}.${ending}"`,
      'last-modified': new Date(row.receivedAt).toUTCString(),
    })
  })
}

/** An offset needs a limit with SQLite: more rows than there are. */
const allRows = 1_000_000_000

const readLogMedia = (context: Context): string => {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  return logMedia.find((media) => media === type) ?? logMedia[0]
}
