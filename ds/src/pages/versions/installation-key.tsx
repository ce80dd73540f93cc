/** The installation key of a version: shown once, and replaced by a new one. */
import { patchVersion } from '@cardwire/client/protocol'
import type { Random } from '../../ports.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongName, showConfirmation } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Copyable } from '../frame/parts.tsx'
import { findVersion, type ShownVersion, toTrail, toVersionAddress } from './version-data.ts'

export function addInstallationKey(pages: PageApp, { random }: { readonly random: Random }): void {
  pages.get('/versions/:id/key', async (context) => confirm(context, await findVersion(context)))

  pages.post('/versions/:id/key', async (context) => {
    const version = await findVersion(context)
    const typed = findWrongName(await readForm(context), version.id)
    if (typed !== undefined) return confirm(context, version, { typed })
    const installationApiKey = random.uuid()
    const changed = await attempt(
      context.var.api.call(patchVersion, {
        params: { id: version.id },
        query: {},
        body: { installationApiKey },
      }),
    )
    if (changed instanceof ApiProblem) return confirm(context, version, { problem: changed })
    return showInstallationKey(context, version.id, installationApiKey)
  })
}

const confirm = (
  context: PageContext,
  { id }: ShownVersion,
  refused: { readonly problem?: ApiProblem; readonly typed?: string } = {},
) =>
  showConfirmation(context, {
    title: `Replace the installation key of ${id}`,
    trail: toTrail(id),
    to: `${toVersionAddress(id)}/key`,
    name: id,
    button: 'Replace the key',
    ...refused,
    children: (
      <p>
        Installers that carry the old key register no connector any more. Connectors that are
        registered go on. The next page shows the new key, once.
      </p>
    ),
  })

/** Shows the installation key, for the only time. */
export const showInstallationKey = (context: PageContext, id: string, key: string) =>
  showPage(context, {
    title: `Installation key of ${id}`,
    trail: toTrail(id),
    children: (
      <>
        <div class="warning">
          <p>
            This is the only time the key is shown: the service keeps its digest alone. Put it where
            the installation of connectors reads it.
          </p>
        </div>
        <p>
          <Copyable id="installation-key" text={key} name="the installation key" />
        </p>
        <p>
          With it a connector registers itself, as the setting{' '}
          <code>CARDWIRE_INSTALLATION_KEY</code>.
        </p>
        <p>
          <a class="button" href={toVersionAddress(id)}>
            I have stored the key
          </a>
        </p>
      </>
    ),
  })
