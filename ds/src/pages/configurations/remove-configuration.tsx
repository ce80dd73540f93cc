/** Removes a configuration, after saying how many devices have it. */
import { deleteConfiguration, getConfigurationReach } from '@cardwire/protocol'
import { confirmAct } from '../frame/confirm-act.ts'
import { Changes } from '../frame/difference.tsx'
import { HiddenFields } from '../frame/fields.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { formatCount, Table } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { toTrail, toVersionAddress } from '../versions/version-data.ts'
import {
  addGroup,
  describeConfiguration,
  findConfiguration,
  nameInVersion,
  type ShownConfiguration,
  toConfigurationAddress,
} from './configuration-data.ts'
import { countLostSites } from './review.tsx'

export function addConfigurationRemoval(pages: PageApp): void {
  confirmAct(pages, '/configurations/:id/remove', {
    find: findConfiguration,
    name: ({ versionId }) => versionId,
    describe,
    async perform(context, { id, versionId }, form) {
      const query = { maxReach: form.text('maxReach') || '0' }
      const condition = { ifMatch: form.text('etag') }
      await context.var.api.call(deleteConfiguration, { params: { id }, query }, condition)
      return showNext(context, `${toVersionAddress(versionId)}?removed=${id}`)
    },
  })
}

async function describe(context: PageContext, stored: ShownConfiguration) {
  const { id, type, versionId, groupName, etag = '' } = stored
  const parts = { params: { id } }
  const { data } = await context.var.api.call(getConfigurationReach, parts)
  const { types, remove: texts } = readTexts().configurations
  const { review } = readTexts().history
  const lines = describeConfiguration(stored).filter(({ isSecret }) => isSecret !== true)
  const lost = countLostSites(lines, [])
  return {
    title: addGroup(types[type].removeTitle(versionId), groupName),
    operation: deleteConfiguration,
    trail: [...toTrail(versionId), { to: toConfigurationAddress(id), text: nameInVersion(stored) }],
    button: texts.button,
    wayBack: 'undo' as const,
    children: (
      <>
        <div class={data.reach > 0 ? 'warning' : 'note'}>
          <p>
            <strong>{texts.reach(data.reach - data.offered)}</strong>
            {data.offered > 0 && <> {review.offered(data.offered)}</>}
            {data.reach > 0 && lost > 0 && <> {review.lost(lost)}</>}
          </p>
        </div>
        {data.platforms.length > 0 && (
          <Table
            caption={texts.caption}
            head={[texts.system, texts.devices]}
            rows={data.platforms.map(({ platform, count }) => [
              readTexts().systems[platform],
              formatCount(count),
            ])}
          />
        )}
        {type === 'CONTEXT_CONFIG' && <p>{texts.allowlist}</p>}
        <Changes caption={review.caption} before={lines} after={[]} />
      </>
    ),
    fields: <HiddenFields values={Object.entries({ etag, maxReach: String(data.reach) })} />,
  }
}
