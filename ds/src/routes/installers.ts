/** The files of installers: administrators upload, list and remove them. */
import { deleteInstaller, getInstaller, listInstallers, putInstaller } from '@cardwire/protocol'
import type { Bind } from '../http/bind.ts'
import type { Services } from '../services.ts'
import { prepareFileRevisions } from './file-revisions.ts'
import {
  findUser,
  limitManifest,
  prepareManifestReach,
  requireUnusedInstaller,
} from './installer-uses.ts'
import { createFileRoutes, toListedFile } from './stored-files.ts'

export function bindInstallerRoutes(bind: Bind, services: Services): void {
  const routes = createFileRoutes(services, {
    files: services.packages,
    kind: 'installer',
    async requireUnused(name, act, maxReach) {
      await requireUnusedInstaller(services, name, act)
      await limitManifest(services, name, maxReach)
    },
  })
  bind(putInstaller, routes.upload)
  bind(listInstallers, routes.list)
  bind(deleteInstaller, routes.remove)

  bind(getInstaller, async ({ params: { name } }, context) => {
    const file = await routes.requireFile(name)
    const sha256 = await file.digest(context.req.raw.signal)
    const usedBy = await findUser(services, name)
    const reach = await (await prepareManifestReach(services, name))?.()
    const listed = toListedFile({ key: name, size: file.size })
    const named = (await prepareFileRevisions(services, 'installer', [name]))(name)
    return { data: { ...listed, sha256, usedBy, reach, ...named } }
  })
}
