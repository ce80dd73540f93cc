/** Synchronization of devices. */
import { downloadKeystore, type Input, syncDevice } from '@cardwire/protocol'
import type { Context } from 'hono'
import { type Caller, readClientAddress, requireDevice } from '../auth/authorize.ts'
import { type AppEnv, type Bind, readAuditSource } from '../http/bind.ts'
import type { LoadLimit } from '../http/load-shedding.ts'
import { toMachine } from '../rules/choose-package.ts'
import { createInstallerUrl, createUpdateUrl } from '../rules/installer-url.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog } from '../sync/catalog.ts'
import { listGroupIds } from '../sync/device-groups.ts'
import { readCatalogWithVersion } from '../sync/implicit-version.ts'
import { createPolicyResolver } from '../sync/policy.ts'
import { isStored } from '../sync/record-sync.ts'
import { findParticipations, isReachedBy, noteProgress } from '../sync/rollout-groups.ts'
import { signReply } from '../sync/sign-reply.ts'
import { createSyncStore } from '../sync/store-sync.ts'
import type { Waiters } from '../sync/waiters.ts'

interface SyncParts {
  readonly readCatalog: ReadCatalog
  readonly load: LoadLimit
  readonly waiters: Pick<Waiters, 'offer'>
}

type SyncInput = Input<typeof syncDevice> & { readonly caller: Caller }

export function bindSyncRoutes(
  bind: Bind,
  services: Services,
  { readCatalog, load, waiters }: SyncParts,
): void {
  const { clock, settings, url } = services
  const resolvePolicy = createPolicyResolver(services, {
    createInstallerUrl: (os, version, choice) =>
      (settings.embedSettings ? createUpdateUrl : createInstallerUrl)(url, os, version, choice),
    keystoreUrl: `${url}${downloadKeystore.path}`,
  })
  const store = createSyncStore(services)

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
    const { hostname, tags: reportedTags = [] } = body.device
    const facts = { tags: device.tags, reportedTags, hostname, platform, version }
    const groups = listGroupIds(catalog, facts)
    const synced = { id: device.id, version, platform, approved: device.approved, groups }
    const participations = await findParticipations(services, catalog, synced)
    const policy = await resolvePolicy(catalog, version, platform, {
      isApproved: device.approved,
      machine,
      reachedBy: isReachedBy(participations),
      groups,
    })
    const now = clock()
    const values = {
      ...toStoredReport(body, settings),
      id: device.id,
      at: assertion.at,
      now,
      state: policy.state,
      verdict: policy.verdict.action,
    }
    const isUnchanged = body.state === policy.state
    const { revision, acknowledged } =
      isUnchanged && body.batches.length === 0 && isStored(assertion, values)
        ? { revision: device.revision, acknowledged: [] }
        : await store(assertion, values, body.batches)
    await noteProgress(services, participations, { ...synced, faults: body.faults, now })
    const reply = {
      ...{ now, revision, acknowledged: acknowledged.map(({ id }) => id), isUnchanged },
      holdS: waiters.offer({
        ...{ id: device.id, isApproved: device.approved },
        address: readClientAddress(services, context),
      }),
    }
    return { data: await signReply(services, assertion, policy, reply) }
  }
}

/** What the service keeps of a report; without the user's names, unless they are wanted. */
const toStoredReport = (
  { version, platform, device, user, faults, keystore }: SyncInput['body'],
  { userNames }: Pick<Services['settings'], 'userNames'>,
) => ({
  version,
  platform,
  device: JSON.stringify(device),
  user: JSON.stringify(userNames ? user : removeNames(user)),
  faults: JSON.stringify(faults),
  keystore: keystore ?? null,
})

const removeNames = <U extends { username?: unknown; name?: unknown }>({
  username: _,
  name: __,
  ...rest
}: U) => rest
