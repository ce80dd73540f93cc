/** The logs of devices: these upload them, administrators download them. */
import { downloadLogs, logMedia, Problem, uploadLogs } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { readClientAddress, requireDevice } from '../auth/authorize.ts'
import { enforceLimit } from '../auth/rate-limit.ts'
import { mapConstraintError } from '../db/constraint-error.ts'
import { deleteBeyond } from '../db/delete-beyond.ts'
import { deviceLogs, devices } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { base64ToBytes, bytesToBase64 } from '../rules/encoding.ts'
import { createDeviceUnknownProblem, createReplayedProblem } from '../rules/problems.ts'
import { nodeClockSkewS } from '../rules/steady-clock.ts'
import type { Services } from '../services.ts'
import { createAssertionUpdate } from '../sync/record-sync.ts'

export function bindDeviceLogRoutes(bind: Bind, services: Services): void {
  const { db, clock, limits, settings } = services

  bind(uploadLogs, async ({ body, caller }, context) => {
    const assertion = requireDevice(caller)
    const address = readClientAddress(services, context)
    await enforceLimit(limits, 'failure', `logs of ${address}`, 'store so many logs')
    const receivedAt = clock()
    const media = readLogMedia(context)
    const content = { media, bytes: bytesToBase64(body), receivedAt }
    const [updated] = await createAssertionUpdate(db, assertion, receivedAt)
    if (!updated) throw createReplayedProblem()
    // Reads only the index of the times: in a row the time follows up to a megabyte.
    const removeOldest = deleteBeyond(db, deviceLogs, deviceLogs.receivedAt, {
      keep: settings.logsKept,
      latest: receivedAt + nodeClockSkewS * 1000,
    })
    const { id: deviceId } = assertion.device
    await mapConstraintError(
      db.batch([
        db
          .insert(deviceLogs)
          .values({ deviceId, ...content })
          .onConflictDoUpdate({ target: deviceLogs.deviceId, set: content }),
        removeOldest,
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

const readLogMedia = (context: Context): string => {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  return logMedia.find((media) => media === type) ?? logMedia[0]
}
