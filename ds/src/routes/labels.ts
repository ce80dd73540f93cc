/** Labels and their API keys. */
import {
  deleteLabel,
  getLabel,
  listLabels,
  Problem,
  patchLabel,
  putLabel,
  revokeLabelKey,
  rotateLabelKey,
} from '@cardwire/protocol'
import { and, eq } from 'drizzle-orm'
import { labels } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { containsText, selectPage } from '../http/pagination.ts'
import { changeFields } from '../http/preconditions.ts'
import type { Services } from '../services.ts'
import { countUses, isUsedLately, limitAffected } from './count-affected.ts'
import { describe, findLabel, type LabelRow, toConsumer, toLabel, toLabels } from './label-rows.ts'
import { changeLabel, createLabel, removeLabel, replaceKey } from './store-label.ts'

export function bindLabelRoutes(bind: Bind, services: Services): void {
  const { db } = services

  bind(putLabel, async ({ query, body, headers: { 'if-match': match }, audit }) => {
    const { id, orgId } = body
    if (id === undefined)
      return { created: true, data: await createLabel(services, body, match, audit) }
    const before = await findLabel(services, id)
    if (before.orgId !== orgId) {
      throw new Problem(
        'label-moved',
        `Cannot move label "${id}": it belongs to organization "${before.orgId}"`,
      )
    }
    await requireUsesOfOthers(services, before, body.apiKey, query.maxReach)
    return { created: false, data: await changeLabel(services, before, body, match, audit) }
  })

  bind(patchLabel, async ({ params: { id }, query, body, headers, audit }) => ({
    data: await changeFields(
      describe(id),
      headers['if-match'],
      () => findLabel(services, id),
      async (row, condition) => {
        const { name = row.name, apiKey } = body
        await requireUsesOfOthers(services, row, apiKey, query.maxReach)
        return changeLabel(services, row, { name, apiKey }, condition, audit)
      },
    ),
  }))

  bind(listLabels, async ({ query: { name, orgId, ...paging } }) => {
    const where = and(
      containsText(db, labels.name, name),
      orgId === undefined ? undefined : eq(labels.orgId, orgId),
    )
    const list = await selectPage(db, labels, paging, where, [labels.id])
    return { data: { ...list, items: await toLabels(services, list.items) } }
  })

  bind(getLabel, async ({ params: { id } }) => ({
    data: await toLabel(services, await findLabel(services, id)),
  }))

  bind(deleteLabel, async ({ params: { id }, query, headers: { 'if-match': match }, audit }) => {
    await requireUses(services, await findLabel(services, id), query.maxReach)
    await removeLabel(services, id, match, audit)
    return { data: { id } }
  })

  bindLabelKeyRoutes(bind, services)
}

function bindLabelKeyRoutes(bind: Bind, services: Services): void {
  bind(rotateLabelKey, async ({ params: { id }, query, body, audit }) => {
    const { apiKey: given, overlap } = body
    const row = await findLabel(services, id)
    await requireUses(services, row, query.maxReach)
    const apiKey = await replaceKey(services, id, given, overlap, audit)
    return { data: { ...(await toLabel(services, row)), apiKey } }
  })

  bind(revokeLabelKey, async ({ params: { id }, query, audit }) => {
    const row = await findLabel(services, id)
    await requireUses(services, row, query.maxReach)
    await services.gateway.disable(toConsumer(id), audit.createEntry('label', id, ['apiKey']))
    return { data: await toLabel(services, row) }
  })
}

/** Before a label is stored with a key: the same key again ends none. */
async function requireUsesOfOthers(
  services: Services,
  row: LabelRow,
  given: string | undefined,
  max: number | undefined,
): Promise<void> {
  if (given === undefined) return
  const [owner, keys] = await Promise.all([
    services.gateway.lookup(given),
    services.gateway.findKeys('application', [row.id]),
  ])
  const isOwn = owner?.kind === 'application' && owner.id === row.id
  const isOnly = keys.get(row.id)?.replacedUntil === undefined
  if (!isOwn || !isOnly) await requireUses(services, row, max)
}

/** Before a key stops working: what the applications of the label do with it. */
const requireUses = (
  services: Services,
  { id, keyUsedAt }: Pick<LabelRow, 'id' | 'keyUsedAt'>,
  max: number | undefined,
) =>
  limitAffected(services, max, () => countUses(services, [id]), {
    counts: 'uses in 30 days',
    lately: isUsedLately(services, keyUsedAt)
      ? `an API key of the label was used on ${keyUsedAt}`
      : undefined,
  })
