/** Removes a version, after saying whom that reaches. */
import { deleteVersion, getVersionReach } from '@cardwire/client/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongName, showConfirmation } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { AffectedDevices } from './affected-devices.tsx'
import {
  findVersion,
  type ShownVersion,
  toTrail,
  toVersionAddress,
  versionsHome,
} from './version-data.ts'

export function addVersionRemoval(pages: PageApp): void {
  pages.get('/versions/:id/remove', async (context) => confirm(context, await findVersion(context)))

  pages.post('/versions/:id/remove', async (context) => {
    const version = await findVersion(context)
    const form = await readForm(context)
    const typed = findWrongName(form, version.id)
    if (typed !== undefined) return confirm(context, version, { typed })
    const query = { maxReach: form.text('maxReach') || '0' }
    const removed = await attempt(
      context.var.api.call(
        deleteVersion,
        { params: { id: version.id }, query },
        { ifMatch: form.text('etag') },
      ),
    )
    if (!(removed instanceof ApiProblem)) return showNext(context, versionsHome.to)
    return confirm(context, version, { problem: removed })
  })
}

async function confirm(
  context: PageContext,
  { id, etag }: ShownVersion,
  refused: { readonly problem?: ApiProblem; readonly typed?: string } = {},
) {
  const query = { remove: 'true' }
  const { data: reach } = await context.var.api.call(getVersionReach, { params: { id }, query })
  return showConfirmation(context, {
    title: `Remove ${id}`,
    trail: toTrail(id),
    to: `${toVersionAddress(id)}/remove`,
    name: id,
    button: 'Remove the version',
    ...refused,
    children: (
      <>
        <p>
          Its installation key works no more: no connector registers with it. Its installers are not
          offered any longer. Its configurations have to be removed first.
        </p>
        <AffectedDevices reach={reach} />
      </>
    ),
    fields: (
      <>
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="maxReach" value={String(reach.reach)} />
      </>
    ),
  })
}
