/** Removes a configuration, after saying how many devices have it. */
import { deleteConfiguration, getConfigurationReach } from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongName, showConfirmation } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { formatCount, Table } from '../frame/parts.tsx'
import { toTrail, toVersionAddress } from '../versions/version-data.ts'
import {
  configurationNames,
  findConfiguration,
  type ShownConfiguration,
  toConfigurationAddress,
} from './configuration-data.ts'

export function addConfigurationRemoval(pages: PageApp): void {
  pages.get('/configurations/:id/remove', async (context) =>
    confirm(context, await findConfiguration(context)),
  )

  pages.post('/configurations/:id/remove', async (context) => {
    const stored = await findConfiguration(context)
    const form = await readForm(context)
    const typed = findWrongName(form, stored.versionId)
    if (typed !== undefined) return confirm(context, stored, { typed })
    const parts = { params: { id: stored.id }, query: { maxReach: form.text('maxReach') || '0' } }
    const removed = await attempt(
      context.var.api.call(deleteConfiguration, parts, { ifMatch: form.text('etag') }),
    )
    if (!(removed instanceof ApiProblem))
      return showNext(context, toVersionAddress(stored.versionId))
    return confirm(context, stored, { problem: removed })
  })
}

async function confirm(
  context: PageContext,
  { id, type, versionId, etag }: ShownConfiguration,
  refused: { readonly problem?: ApiProblem; readonly typed?: string } = {},
) {
  const parts = { params: { id } }
  const { data } = await context.var.api.call(getConfigurationReach, parts)
  const name = configurationNames[type]
  return showConfirmation(context, {
    title: `Remove: ${name} of ${versionId}`,
    trail: [...toTrail(versionId), { to: toConfigurationAddress(id), text: name }],
    to: `${toConfigurationAddress(id)}/remove`,
    name: versionId,
    button: 'Remove it',
    ...refused,
    children: (
      <>
        <div class={data.reach > 0 ? 'warning' : 'note'}>
          <p>
            <strong>
              {data.reach === 0
                ? 'No device has it.'
                : `${formatCount(data.reach)} ${data.reach === 1 ? 'device has' : 'devices have'} it until the next synchronization.`}
            </strong>
          </p>
        </div>
        {data.platforms.length > 0 && (
          <Table caption="Devices that have it" head={['System', 'Devices']}>
            {data.platforms.map(({ platform, count }) => (
              <tr>
                <th scope="row">{platformNames[platform]}</th>
                <td>{formatCount(count)}</td>
              </tr>
            ))}
          </Table>
        )}
        {type === 'CONTEXT_CONFIG' && (
          <p>Without an allowlist no page may use the readers of these devices.</p>
        )}
      </>
    ),
    fields: (
      <>
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="maxReach" value={String(data.reach)} />
      </>
    ),
  })
}
