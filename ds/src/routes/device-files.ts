/** Files between devices and the service: keystores out, logs in. */
import {
  downloadKeystore,
  downloadLogs,
  logMedia,
  Problem,
  uploadLogs,
} from '@cardwire/client/protocol'
import { and, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { replayed } from '../auth/assertion.ts'
import { assertedBy } from '../auth/authorize.ts'
import { configurations, deviceLogs, devices } from '../db/schema.ts'
import { taking } from '../fleet/taking.ts'
import { packageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'
import { deviceUnknown } from './devices.ts'

export function deviceFileRoutes(bind: Bind, services: Services): void {
  const { db, clock, packages, log } = services

  bind(downloadKeystore, async ({ caller }, context) => {
    const asserted = assertedBy(caller)
    const { version } = asserted.device
    const [taken] = await taking(db, asserted, clock())
    if (!taken) throw replayed()
    const [row] = await db
      .select()
      .from(configurations)
      .where(and(eq(configurations.versionId, version), eq(configurations.type, 'SSL_KEYSTORE')))
    const key = row && 'uri' in row.config ? packageKey(row.config.uri) : undefined
    const file = key === undefined ? undefined : await packages.find(key)
    if (!file) {
      if (row && key !== undefined)
        log.error('keystore missing', { version, configuration: row.id })
      throw new Problem(
        'keystore-unknown',
        `Cannot send the keystore of version "${version}": there is none at the service`,
      )
    }
    context.header('cache-control', 'no-store')
    return context.body(file.size === 0 ? '' : await file.read(0, file.size - 1), 200, {
      'content-type': 'application/x-pkcs12',
      'content-length': String(file.size),
    })
  })

  bind(uploadLogs, async ({ body, caller }, context) => {
    const asserted = assertedBy(caller)
    const receivedAt = clock()
    const media = mediaOf(context)
    const content = { media, bytes: base64(body), receivedAt }
    const [taken] = await taking(db, asserted, receivedAt)
    if (!taken) throw replayed()
    await db
      .insert(deviceLogs)
      .values({ deviceId: asserted.device.id, ...content })
      .onConflictDoUpdate({ target: deviceLogs.deviceId, set: content })
    return { data: { size: body.length, receivedAt: new Date(receivedAt).toISOString() } }
  })

  bind(downloadLogs, async ({ params: { id } }, context) => {
    const [row] = await db.select().from(deviceLogs).where(eq(deviceLogs.deviceId, id))
    if (!row) {
      if ((await db.$count(devices, eq(devices.id, id))) === 0) throw deviceUnknown(id)
      throw new Problem('logs-unknown', `Cannot show logs of device "${id}": it has left none`)
    }
    const ending = row.media === 'application/gzip' ? 'log.gz' : 'log'
    return context.body(
      Uint8Array.from(atob(row.bytes), (char) => char.charCodeAt(0)),
      200,
      {
        'content-type': row.media,
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="${id}.${ending}"`,
        'last-modified': new Date(row.receivedAt).toUTCString(),
      },
    )
  })
}

const mediaOf = (context: Context): string => {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  return logMedia.find((media) => media === type) ?? logMedia[0]
}

/** In parts: a call takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return btoa(text)
}
