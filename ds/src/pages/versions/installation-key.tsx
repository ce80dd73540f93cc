/** The installation key of a version: shown once, and replaced by a new one. */
import { patchVersion } from '@cardwire/client/protocol'
import type { Random } from '../../ports.ts'
import { confirmAct } from '../frame/confirm-act.ts'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { showSecret } from '../frame/shown-secret.tsx'
import { findVersion, toTrail } from './version-data.ts'

export function addInstallationKey(pages: PageApp, { random }: { readonly random: Random }): void {
  confirmAct(pages, '/versions/:id/key', {
    find: findVersion,
    name: ({ id }) => id,
    describe: (_, { id }) => ({
      title: `Replace the installation key of ${id}`,
      trail: toTrail(id),
      button: 'Replace the key',
      children: (
        <p>
          Installers that carry the old key register no connector any more. Connectors that are
          registered go on. The next page shows the new key, once.
        </p>
      ),
    }),
    async perform(context, { id }) {
      const installationApiKey = random.uuid()
      const parts = { params: { id }, query: {}, body: { installationApiKey } }
      await context.var.api.call(patchVersion, parts)
      return showInstallationKey(context, id, installationApiKey)
    },
  })
}

/** Shows the installation key, for the only time. */
export const showInstallationKey = (context: PageContext, id: string, key: string) =>
  showSecret(context, {
    title: `Installation key of ${id}`,
    trail: toTrail(id),
    kind: 'key',
    id: 'installation-key',
    name: 'the installation key',
    secret: key,
    warning:
      'the service keeps its digest alone. Put it where the installation of connectors reads it.',
    children: (
      <>
        With it a connector registers itself, as the setting <code>CARDWIRE_INSTALLATION_KEY</code>.
      </>
    ),
  })
