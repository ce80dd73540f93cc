/** The files of keystores: administrators upload, list and remove them. */
import { deleteKeystore, listKeystores, Problem, putKeystore } from '@cardwire/protocol'
import { eq } from 'drizzle-orm'
import { configurations } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { toPackageKey } from '../packages/packages.ts'
import type { Services } from '../services.ts'
import { prepareFileRevisions } from './file-revisions.ts'
import { isSameFile } from './installer-uses.ts'
import { createFileRoutes } from './stored-files.ts'

export function bindKeystoreFileRoutes(bind: Bind, services: Services): void {
  const { db, keystores } = services
  const routes = createFileRoutes(services, { files: keystores, kind: 'keystore', requireUnused })
  bind(putKeystore, (input, context) => routes.upload(input, context))
  bind(listKeystores, async (input) => {
    const { data } = await routes.list(input)
    const names = data.items.map(({ name }) => name)
    const findRevisions = await prepareFileRevisions(services, 'keystore', names)
    const items = data.items.map((file) => ({ ...file, ...findRevisions(file.name) }))
    return { data: { ...data, items } }
  })
  bind(deleteKeystore, (input) => routes.remove(input))

  /** Devices know the digest of what is configured. */
  async function requireUnused(name: string, act: 'replace' | 'remove'): Promise<void> {
    // The others weigh up to 1 MiB each.
    const rows = await db
      .select({ versionId: configurations.versionId, config: configurations.config })
      .from(configurations)
      .where(eq(configurations.type, 'SSL_KEYSTORE'))
    const user = rows.find(
      ({ config }) => 'uri' in config && isSameFile(toPackageKey(config.uri), name),
    )
    if (user === undefined || !(await keystores.find(name))) return
    throw new Problem(
      'keystore-in-use',
      `Cannot ${act} "${name}": the keystore configuration of version "${user.versionId}" names it`,
    )
  }
}
