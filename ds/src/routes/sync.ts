/** Synchronization of devices. */
import {
  downloadKeystore,
  type Input,
  replyKind,
  type SyncReply,
  syncDevice,
} from '@cardwire/client/protocol'
import type { Context } from 'hono'
import { CompactEncrypt, importJWK } from 'jose'
import type { DeviceAssertion } from '../auth/assertion.ts'
import { type Caller, requireDevice } from '../auth/authorize.ts'
import { type AppEnv, type Bind, readAuditSource } from '../http/bind.ts'
import type { LoadLimit } from '../http/load-shedding.ts'
import { toMachine } from '../rules/choose-package.ts'
import { createInstallerUrl, createUpdateUrl } from '../rules/installer-url.ts'
import { createReplayedProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog } from '../sync/catalog.ts'
import { createCountStatements, selectBatches } from '../sync/count-batches.ts'
import { createFleetDayCount } from '../sync/fleet-days.ts'
import { readCatalogWithVersion } from '../sync/implicit-version.ts'
import { createPolicyResolver, type DevicePolicy } from '../sync/policy.ts'
import { createSyncUpdate, isFirstOfDay, isStored, prepareSyncUpdate } from '../sync/record-sync.ts'
import { createUnseenDeviceRemoval } from '../sync/remove-unseen-devices.ts'

type SyncInput = Input<typeof syncDevice> & { readonly caller: Caller }

export function bindSyncRoutes(
  bind: Bind,
  services: Services,
  readCatalog: ReadCatalog,
  load: LoadLimit,
): void {
  const { db, clock, keyring, settings, url, vault } = services
  const resolvePolicy = createPolicyResolver(services, {
    createInstallerUrl: (os, version, choice) =>
      (settings.embedSettings ? createUpdateUrl : createInstallerUrl)(url, os, version, choice),
    keystoreUrl: `${url}${downloadKeystore.path}`,
  })
  const updateDevice = prepareSyncUpdate(db)
  const countFleetDays = createFleetDayCount(services)
  const removeUnseenDevices = createUnseenDeviceRemoval(services)

  bind(syncDevice, (input, context) => {
    const { id } = requireDevice(input.caller).device
    return load.finish(id, () => synchronize(input, context))
  })

  async function synchronize({ body, caller }: SyncInput, context: Context<AppEnv>) {
    const assertion = requireDevice(caller)
    const { device } = assertion
    const { version, platform } = body
    const createRequest = () => ({
      operation: syncDevice.name,
      source: {
        ...readAuditSource(services, context),
        identity: { subject: device.id, issuer: null, name: 'device' },
      },
    })
    const catalog = await readCatalogWithVersion(
      services,
      readCatalog,
      version,
      createRequest,
      assertion.audit,
    )
    const { architecture, packageFormat } = body.device
    const machine = toMachine(platform, architecture, packageFormat)
    const policy = await resolvePolicy(catalog, version, platform, device.approved, machine)
    const now = clock()
    const values = {
      id: device.id,
      at: assertion.at,
      now,
      version,
      platform,
      device: JSON.stringify(body.device),
      user: JSON.stringify(settings.userNames ? body.user : removeNames(body.user)),
      faults: JSON.stringify(body.faults),
      keystore: body.keystore ?? null,
      state: policy.state,
      verdict: policy.verdict.action,
    }
    const { revision, acknowledged } =
      body.state === policy.state && body.batches.length === 0 && isStored(assertion, values)
        ? { revision: device.revision, acknowledged: [] }
        : await store(assertion, values, body.batches)
    context.header('cache-control', 'no-store')
    const head = {
      aud: device.id,
      re: assertion.jti,
      iat: now / 1000,
      revision,
      state: policy.state,
      acknowledged: acknowledged.map(({ id }) => id),
      ...(settings.policyMaxAgeS !== undefined && { exp: now / 1000 + settings.policyMaxAgeS }),
    }
    const reply: SyncReply =
      body.state === policy.state
        ? { ...head, unchanged: true }
        : { ...head, unchanged: false, ...(await createReplyContent(policy, device)) }
    const { exp, ...claims } = reply
    return {
      data: await keyring.sign('reply', replyKind.typ, {
        ...claims,
        ...(exp !== undefined && { exp }),
      }),
    }
  }

  /** Stores what a device reports. Throws `assertion-replayed` where a later request of it is stored. */
  async function store(
    assertion: DeviceAssertion,
    values: Parameters<typeof updateDevice>[1],
    batches: SyncInput['body']['batches'],
  ) {
    const { now } = values
    const isFirst = isFirstOfDay(assertion, now)
    if (isFirst) await countFleetDays(now)
    const taken = await selectBatches(services, values.id, batches, now)
    const counts = createCountStatements(db, assertion, batches, taken, now)
    const [[updated], counted] =
      counts.length === 0 && !isFirst
        ? [await updateDevice(assertion, values)]
        : await storeWithCounts(createSyncUpdate(db, assertion, values), counts)
    if (!updated) throw createReplayedProblem()
    if (isFirst) await removeUnseenDevices(now)
    return {
      revision: updated.revision,
      acknowledged: counted === 0 ? taken.repeated : taken.acknowledged,
    }
  }

  /** The row of the device, and how many rows the last statement returned: none when a limit was used up meanwhile. */
  async function storeWithCounts(
    update: ReturnType<typeof createSyncUpdate>,
    counts: ReturnType<typeof createCountStatements>,
  ) {
    const results = await db.batch([update, ...counts])
    const last: unknown = results.at(-1)
    return [results[0], Array.isArray(last) ? last.length : undefined] as const
  }

  async function createReplyContent(policy: DevicePolicy, device: DeviceAssertion['device']) {
    const { verdict, cors, cards, files, keystore, tokenKeys, replyKeys } = policy
    const content = {
      verdict,
      cors: [...cors],
      ...(cards && { cards }),
      files: [...files],
      tokenKeys: [...tokenKeys],
      replyKeys: [...replyKeys],
      cycle: settings.cycleS,
    }
    if (!keystore) return content
    const { secret, row, ...reference } = keystore
    const password = await encryptFor(device, await vault.unwrap(secret, row))
    return { ...content, keystore: { ...reference, password } }
  }
}

/** A JWE that only the device can decrypt (RFC 7518 §4.6). */
async function encryptFor(
  { key, fingerprint }: DeviceAssertion['device'],
  text: string,
): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: fingerprint })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}

const removeNames = <U extends { username?: unknown; name?: unknown }>({
  username: _,
  name: __,
  ...rest
}: U) => rest
