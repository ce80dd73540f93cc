/** What ends the key of a label: replacing it, revoking it, removing the label. Each says first who would notice. */
import { deleteLabel, type Label, revokeLabelKey, rotateLabelKey } from '@cardwire/client/protocol'
import type { Clock } from '../../ports.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, findWrongName, showConfirmation } from '../frame/change.tsx'
import { Select } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { formatCount } from '../frame/parts.tsx'
import { findLabel, readUses, type ShownLabel } from './label-data.ts'
import { labelsHome, showKey, toLabelAddress } from './labels.tsx'

interface Refused {
  readonly problem?: ApiProblem
  readonly typed?: string
  readonly overlap?: string
}

/** How long a replaced key works on, as the form offers it: seconds. */
const overlaps = [
  { value: '0', text: 'ends at once' },
  { value: '3600', text: 'works for an hour more' },
  { value: '86400', text: 'works for a day more' },
  { value: '604800', text: 'works for a week more' },
  { value: '2592000', text: 'works for 30 days more' },
] as const

export function addLabelActs(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/labels/:id/rotate', async (context) =>
    confirmRotation(context, await findLabel(context)),
  )

  pages.post('/labels/:id/rotate', async (context) => {
    const label = await findLabel(context)
    const form = await readForm(context)
    const [overlap, typed] = [form.text('overlap'), findWrongName(form, label.name)]
    if (typed !== undefined) return confirmRotation(context, label, { typed, overlap })
    const params = { id: label.id }
    const rotated = await attempt(
      context.var.api.call(rotateLabelKey, {
        params,
        query: {},
        body: { overlap: Number(overlap) },
      }),
    )
    if (rotated instanceof ApiProblem)
      return confirmRotation(context, label, { problem: rotated, overlap })
    return showKey(context, label, rotated.data.apiKey ?? '')
  })

  for (const [act, operation] of [
    ['revoke', revokeLabelKey],
    ['remove', deleteLabel],
  ] as const) {
    pages.get(`/labels/:id/${act}`, async (context) =>
      confirmEnd(context, await findLabel(context), act),
    )

    pages.post(`/labels/:id/${act}`, async (context) => {
      const label = await findLabel(context)
      const typed = findWrongName(await readForm(context), label.name)
      if (typed !== undefined) return confirmEnd(context, label, act, { typed })
      const params = { id: label.id }
      const ended = await attempt<unknown>(context.var.api.call(operation, { params, query: {} }))
      if (ended instanceof ApiProblem) return confirmEnd(context, label, act, { problem: ended })
      return showNext(context, act === 'revoke' ? toLabelAddress(label.id) : labelsHome.to)
    })
  }

  /** Who would notice, before the key stops working. */
  async function describeUse(context: PageContext, { id, keyUsedAt }: Label) {
    const { uses } = await readUses(context, id, clock())
    const last =
      keyUsedAt === undefined ? 'never fetched a token' : `fetched a token on ${keyUsedAt}, last`
    return (
      <p>
        Its key {last}. In the last 30 days its pages used readers{' '}
        <strong>{formatCount(uses.total)}</strong> times.
      </p>
    )
  }

  async function confirmRotation(
    context: PageContext,
    label: ShownLabel,
    { overlap = '86400', ...refused }: Refused = {},
  ) {
    const address = toLabelAddress(label.id)
    return showConfirmation(context, {
      title: `Replace the key of ${label.name}`,
      trail: [labelsHome, { to: address, text: label.name }],
      operation: rotateLabelKey,
      to: `${address}/rotate`,
      name: label.name,
      button: 'Replace the key',
      ...refused,
      children: (
        <>
          {await describeUse(context, label)}
          <p>
            The next page shows the new key, once. Until the application has it, it needs the old
            one.
          </p>
        </>
      ),
      fields: (
        <Select
          name="overlap"
          label="The old key"
          value={overlap}
          options={overlaps}
          error={explainField(refused.problem, 'overlap')}
        />
      ),
    })
  }

  async function confirmEnd(
    context: PageContext,
    label: ShownLabel,
    act: 'revoke' | 'remove',
    refused: Refused = {},
  ) {
    const address = toLabelAddress(label.id)
    const isRemoval = act === 'remove'
    return showConfirmation(context, {
      title: isRemoval ? `Remove ${label.name}` : `Revoke the key of ${label.name}`,
      trail: [labelsHome, { to: address, text: label.name }],
      operation: isRemoval ? deleteLabel : revokeLabelKey,
      to: `${address}/${act}`,
      name: label.name,
      button: isRemoval ? 'Remove the label' : 'Revoke the key',
      ...refused,
      children: (
        <>
          {await describeUse(context, label)}
          <p>
            Its application gets no tokens from then on: {isRemoval ? 'its key is gone, and ' : ''}
            its pages cannot use readers as soon as the tokens end that it has.
            {isRemoval ? ' What was counted stays.' : ' It can get a new key later.'}
          </p>
        </>
      ),
    })
  }
}
