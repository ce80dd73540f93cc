/** The keystore of a version, which its devices download. */
import { downloadKeystore, Problem } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { readClientAddress, requireDevice } from '../auth/authorize.ts'
import { devices } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { toPackageKey } from '../packages/packages.ts'
import { chooseConfigurations } from '../rules/group.ts'
import { createReplayedProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog } from '../sync/catalog.ts'
import { listGroupIds, toGroupFacts } from '../sync/device-groups.ts'
import { createAssertionUpdate } from '../sync/record-sync.ts'

export function bindKeystoreRoutes(bind: Bind, services: Services, readCatalog: ReadCatalog): void {
  const { db, clock, keystores, log } = services

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
    const row = await findKeystore(assertion.device)
    const key = row && 'uri' in row.config ? toPackageKey(row.config.uri) : undefined
    const file = key === undefined ? undefined : await keystores.find(key)
    if (!file) {
      if (row && key !== undefined)
        log.error('keystore missing', { version, configuration: row.id })
      throw new Problem(
        'keystore-unknown',
        `Cannot send the keystore of version "${version}": the service has none`,
      )
    }
    const client = readClientAddress(services, context)
    return context.body(file.size === 0 ? '' : await file.read(0, file.size - 1, client), 200, {
      'content-type': 'application/x-pkcs12',
      'content-length': String(file.size),
    })
  })

  /** The same that its last sync named. */
  async function findKeystore({ id }: { readonly id: string }) {
    const [device] = await db.select().from(devices).where(eq(devices.id, id))
    if (!device) return undefined
    const catalog = await readCatalog()
    const rows = await catalog.getConfigurations(device.version)
    return chooseConfigurations(rows, listGroupIds(catalog, toGroupFacts(device))).find(
      ({ type }) => type === 'SSL_KEYSTORE',
    )
  }
}
