/** The installation key of a version: shown once, and replaced by a new one. */
import { getVersionConfigurationReach, patchVersion } from '@cardwire/protocol'
import type { Random } from '../../ports.ts'
import { confirmAct } from '../frame/confirm-act.ts'
import { NewKey, readNewKey } from '../frame/new-key.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { showSecret } from '../frame/shown-secret.tsx'
import { readTexts } from '../frame/texts.ts'
import { findVersion, toTrail } from './version-data.ts'

export function addInstallationKey(pages: PageApp, { random }: { readonly random: Random }): void {
  confirmAct(pages, '/versions/:id/key', {
    find: findVersion,
    name: ({ id }) => id,
    async describe(context, { id }, refused) {
      const { api } = context.var
      const parts = { params: { id }, query: {} }
      const { data } = await api.call(getVersionConfigurationReach, parts)
      const texts = readTexts().versions.key
      return {
        title: texts.replaceTitle(id),
        trail: toTrail(id),
        operation: patchVersion,
        button: texts.replaceButton,
        wayBack: { sentence: texts.wayBack },
        children: (
          <>
            <p>{texts.replaceAbout}</p>
            <div class="note">
              <p>
                <strong>{texts.kept(data.reach - data.offered)}</strong>
              </p>
            </div>
          </>
        ),
        fields: <NewKey form={refused?.form} random={random} />,
      }
    },
    async perform(context, { id }, form) {
      const installationApiKey = readNewKey(form) || random.uuid()
      const parts = { params: { id }, query: {}, body: { installationApiKey } }
      await context.var.api.call(patchVersion, parts)
      return showInstallationKey(context, id, installationApiKey)
    },
  })
}

/** Shows the installation key, for the only time. */
export function showInstallationKey(context: PageContext, id: string, key: string) {
  const texts = readTexts().versions.key
  return showSecret(context, {
    title: texts.title(id),
    trail: toTrail(id),
    id: 'installation-key',
    copyLabel: texts.copyLabel,
    secret: key,
    warning: texts.warning,
    done: texts.done,
    children: texts.about(<code>CARDWIRE_INSTALLATION_KEY</code>),
  })
}
