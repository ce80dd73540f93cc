/** Synchronisation of devices. */
import { downloadKeystore, replyKind, type SyncReply, syncDevice } from '@cardwire/client/protocol'
import { lt } from 'drizzle-orm'
import { CompactEncrypt, importJWK } from 'jose'
import { type Asserted, dayOf, replayed } from '../auth/assertion.ts'
import { assertedBy } from '../auth/authorize.ts'
import { devices } from '../db/schema.ts'
import type { Catalog } from '../fleet/catalog.ts'
import { counting } from '../fleet/counting.ts'
import { catalogWith } from '../fleet/known-version.ts'
import { isFirstOfDay, takingOften, takingWith } from '../fleet/taking.ts'
import { type Told, teller } from '../fleet/tell.ts'
import type { Services } from '../services.ts'
import { type Bind, originOf } from './bind.ts'
import { downloadUrl } from './versions.ts'

export function syncRoutes(bind: Bind, services: Services, read: () => Promise<Catalog>): void {
  const { db, clock, keyring, settings, url, vault } = services
  const tell = teller(services, {
    installer: (os, version) => downloadUrl(url, os, version),
    keystore: `${url}${downloadKeystore.path}`,
  })

  const take = takingOften(db)

  bind(syncDevice, async ({ body, caller }, context) => {
    const asserted = assertedBy(caller)
    const { device } = asserted
    const { version, platform } = body
    const catalog = await catalogWith(services, read, version, () => ({
      operation: syncDevice.name,
      origin: {
        ...originOf(services, context),
        who: { subject: device.id, issuer: null, name: 'device' },
      },
    }))
    const told = await tell(catalog, version, platform)
    const now = clock()
    const values = {
      ...{ id: device.id, at: asserted.at, now, version, platform },
      device: JSON.stringify(body.device),
      user: JSON.stringify(settings.userNames ? body.user : withoutNames(body.user)),
      faults: JSON.stringify(body.faults),
      keystore: body.keystore ?? null,
      state: told.state,
      verdict: told.verdict.action,
    }
    const more = [
      ...counting(db, asserted, body.batches),
      ...(isFirstOfDay(asserted, now) ? [forgetting(now)] : []),
    ]
    const [taken] =
      more.length === 0
        ? await take(values)
        : (await db.batch([takingWith(db, asserted, values), ...more]))[0]
    if (!taken) throw replayed()
    context.header('cache-control', 'no-store')
    const sealed = {
      aud: device.id,
      re: asserted.jti,
      iat: now / 1000,
      revision: taken.revision,
      state: told.state,
      acknowledged: body.batches.map(({ id }) => id),
    }
    const reply: SyncReply =
      body.state === told.state
        ? { ...sealed, unchanged: true }
        : { ...sealed, unchanged: false, ...(await contentOf(told, asserted)) }
    return { data: await keyring.sign('reply', replyKind.typ, { ...reply }) }
  })

  /** The first request of a device on a day takes out those that were not seen for so long. */
  const forgetting = (now: number) =>
    db.delete(devices).where(lt(devices.lastSeenDay, dayOf(now) - settings.deviceRetentionDays))

  async function contentOf(told: Told, { device }: Asserted) {
    const { verdict, cors, files, keystore, tokenKeys, replyKeys } = told
    const lists = { cors: [...cors], files: [...files] }
    const keys = { tokenKeys: [...tokenKeys], replyKeys: [...replyKeys] }
    const content = { verdict, ...lists, ...keys, cycle: settings.cycleS }
    if (!keystore) return content
    const { secret, row, ...reference } = keystore
    const password = await sealedTo(device, await vault.unwrap(secret, row))
    return { ...content, keystore: { ...reference, password } }
  }
}

/** A JWE that only the device can open (RFC 7518 §4.6). */
async function sealedTo({ key, fingerprint }: Asserted['device'], text: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: fingerprint })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}

const withoutNames = <U extends { username?: unknown; name?: unknown }>({
  username: _,
  name: __,
  ...rest
}: U) => rest
