/** Removes a version, after saying whom that reaches. */
import { deleteVersion, getVersionReach } from '@cardwire/protocol'
import { findOfVersion, showTaken } from '../configurations/taken.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import { digestEffect, listEffects } from '../frame/effect.ts'
import { HiddenFields } from '../frame/fields.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { AffectedDevices } from './affected-devices.tsx'
import { findVersion, type ShownVersion, toTrail, versionsHome } from './version-data.ts'

export function addVersionRemoval(pages: PageApp): void {
  confirmAct(pages, '/versions/:id/remove', {
    find: findVersion,
    name: ({ id }) => id,
    describe,
    async perform(context, { id }, form) {
      const query = { maxReach: form.text('maxReach') || '0' }
      const condition = { ifMatch: form.text('etag') }
      await context.var.api.call(deleteVersion, { params: { id }, query }, condition)
      return showDone(context, versionsHome, deleteVersion)
    },
  })
}

async function describe(context: PageContext, { id, etag = '' }: ShownVersion) {
  const query = { remove: 'true' } as const
  const { data: reach } = await context.var.api.call(getVersionReach, { params: { id }, query })
  const configurations = await findOfVersion(context, id)
  const texts = readTexts().versions.remove
  return {
    title: texts.title(id),
    trail: toTrail(id),
    operation: deleteVersion,
    button: texts.button,
    wayBack: { sentence: texts.wayBack },
    children: (
      <>
        {configurations.length > 0 &&
          (await showTaken(context, {
            sentence: readTexts().problems['version-in-use'],
            taken: configurations,
          }))}
        <p>{texts.about}</p>
        <AffectedDevices reach={reach} />
      </>
    ),
    isRefused: configurations.length > 0,
    effect: await digestEffect(listEffects(reach)),
    fields: <HiddenFields values={Object.entries({ etag, maxReach: String(reach.reach) })} />,
  }
}
