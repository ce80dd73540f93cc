/** Registration of devices. */
import { registerDevice, registrationKind, type SignedRegistration } from '@cardwire/protocol'
import { calculateJwkThumbprint } from 'jose'
import { verifyRegistration } from '../auth/assertion.ts'
import { readClientAddress, requireInstallationKey } from '../auth/authorize.ts'
import { createTooManyProblem } from '../auth/rate-limit.ts'
import { createQuotaRefund, prepareQuota, type Quota } from '../db/quota.ts'
import { type Bind, readAuditSource } from '../http/bind.ts'
import { listNewDeviceLimits, nameLimitSetting } from '../rules/new-device-limits.ts'
import { createDeviceBlockedProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog } from '../sync/catalog.ts'
import { readCatalogWithVersion } from '../sync/implicit-version.ts'
import { prepareRegistration } from '../sync/record-registration.ts'
import { toDay } from '../sync/record-sync.ts'
import { isKeyPublic } from './embed-settings.ts'

/** How long a connector waits at most when a day's limit is reached, in seconds: an administrator may raise the limit meanwhile. */
const maxRetryAfterS = 3600

export function bindRegistrationRoutes(
  bind: Bind,
  services: Services,
  readCatalog: ReadCatalog,
): void {
  const { db, clock, random, keyring, settings, url, log } = services
  const consumeQuota = prepareQuota(db)
  const { isRegistered, recordRegistration } = prepareRegistration(db)

  bind(registerDevice, async ({ body: { key, ...reported }, caller }, context) => {
    if (caller.kind !== 'installer')
      throw new Error('Cannot register: the caller is not an installer')
    const fingerprint = await calculateJwkThumbprint(key)
    const { version, platform, device } = reported
    context.set('claimedDevice', { fingerprint, version, platform, hostname: device.hostname })
    const { jti } = await verifyRegistration(services, context, key, fingerprint)
    await readCatalogWithVersion(services, readCatalog, reported.version, () => ({
      operation: registerDevice.name,
      source: {
        ...readAuditSource(services, context),
        identity: { subject: fingerprint, issuer: null, name: 'device' },
      },
    }))
    const now = clock()
    await requireQuota(fingerprint, caller.version, readClientAddress(services, context), now)
    const isPublic = await isKeyPublic(services, caller.version, context.req.header('apikey') ?? '')
    // In this order: a key that was public, and was accepted before it was replaced, approves nothing.
    if (!isPublic) await requireInstallationKey(services, context, caller.version)
    const approved = !(settings.deviceApproval || isPublic)
    const id = random.uuid()
    const row = await recordRegistration({ id, fingerprint, key, ...reported, approved, now })
    if (!row) throw createDeviceBlockedProblem()
    const replyKeys = (await keyring.list('reply')).map(({ jwk }) => jwk)
    const data = { id: row.id, url, replyKeys, cycle: settings.cycleS }
    const claims: SignedRegistration = { ...data, aud: fingerprint, re: jti, iat: now / 1000 }
    const signed = await keyring.sign('reply', registrationKind.typ, claims)
    return { created: row.registrations === 1, data: { ...data, signed } }
  })

  /** Limits the new devices of a day. */
  async function requireQuota(
    fingerprint: string,
    version: string,
    address: string,
    now: number,
  ): Promise<void> {
    if (await isRegistered(fingerprint)) return
    const day = toDay(now)
    const counted: Quota[] = []
    for (const { setting, subject, limit } of listNewDeviceLimits(settings, version, address)) {
      if (await consumeQuota({ subject, day }, limit)) {
        counted.push({ subject, day })
        continue
      }
      // Connectors retry: each attempt that another limit refuses would use up this one.
      for (const quota of counted) await createQuotaRefund(db, quota)
      log.warn('quota used up', { quota: `${limit} ${subject} today`, setting })
      const leftS = Math.ceil(((day + 1) * 86_400_000 - now) / 1000)
      const action = nameLimitSetting('register more new devices today', setting)
      throw createTooManyProblem(action, Math.min(leftS, maxRetryAfterS))
    }
  }
}
