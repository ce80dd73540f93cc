/** Registration of devices. */
import {
  Problem,
  registerDevice,
  registrationKind,
  type SignedRegistration,
} from '@cardwire/client/protocol'
import { calculateJwkThumbprint } from 'jose'
import { verifyRegistration } from '../auth/assertion.ts'
import { readClientAddress, requireInstallationKey } from '../auth/authorize.ts'
import { prepareQuota } from '../db/quota.ts'
import { type Bind, readAuditSource } from '../http/bind.ts'
import { listNewDeviceLimits } from '../rules/new-device-limits.ts'
import { createDeviceBlockedProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog } from '../sync/catalog.ts'
import { readCatalogWithVersion } from '../sync/implicit-version.ts'
import { prepareRegistration } from '../sync/record-registration.ts'
import { toDay } from '../sync/record-sync.ts'
import { isKeyPublic } from './embed-settings.ts'

export function bindRegistrationRoutes(
  bind: Bind,
  services: Services,
  readCatalog: ReadCatalog,
): void {
  const { db, clock, random, keyring, settings, url, log } = services
  const consumeQuota = prepareQuota(db)
  const { isRegistered, recordRegistration } = prepareRegistration(db)

  bind(registerDevice, async ({ body: { key, ...reported }, caller }, context) => {
    if (caller.kind !== 'installer') throw new Error('Cannot register: the caller is no installer')
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
    const isPublic = await isKeyPublic(db, caller.version)
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
    for (const { subject, limit } of listNewDeviceLimits(settings, version, address)) {
      if (await consumeQuota({ subject, day }, limit)) continue
      log.warn('quota used up', { quota: `${limit} ${subject} today` })
      const retryAfterS = Math.ceil(((day + 1) * 86_400_000 - now) / 1000)
      throw new Problem(
        'too-many-requests',
        `Cannot register more new devices today: try again in ${retryAfterS} s`,
        { retryAfterS },
      )
    }
  }
}
