/** What ends the key of a label: replacing it, revoking it, removing the label. Each says first who would notice. */
import { deleteLabel, type Label, revokeLabelKey, rotateLabelKey } from '@cardwire/client/protocol'
import type { Clock } from '../../ports.ts'
import { explainField } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { Select } from '../frame/fields.tsx'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { formatCount } from '../frame/parts.tsx'
import { findLabel, readUses } from './label-data.ts'
import { labelsHome, showKey, toLabelAddress } from './labels.tsx'

/** How long a replaced key works on, as the form offers it: seconds. */
const overlaps = [
  { value: '0', text: 'ends at once' },
  { value: '3600', text: 'works for an hour more' },
  { value: '86400', text: 'works for a day more' },
  { value: '604800', text: 'works for a week more' },
  { value: '2592000', text: 'works for 30 days more' },
] as const

export function addLabelActs(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  addKeyReplacement(pages, clock)
  addKeyRevocation(pages, clock)
  addRemoval(pages, clock)
}

function addKeyReplacement(pages: PageApp, clock: Clock): void {
  confirmAct(pages, '/labels/:id/rotate', {
    find: findLabel,
    name: ({ name }) => name,
    describe: async (context, label, refused) => ({
      title: `Replace the key of ${label.name}`,
      trail: toTrail(label),
      operation: rotateLabelKey,
      button: 'Replace the key',
      children: (
        <>
          {await describeUse(context, label, clock())}
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
          value={refused?.form.text('overlap') ?? '86400'}
          options={overlaps}
          error={explainField(refused?.problem, 'overlap')}
        />
      ),
    }),
    async perform(context, label, form) {
      const body = { overlap: Number(form.text('overlap')) }
      const parts = { params: { id: label.id }, query: {}, body }
      const { data } = await context.var.api.call(rotateLabelKey, parts)
      return showKey(context, label, data.apiKey ?? '')
    },
  })
}

function addKeyRevocation(pages: PageApp, clock: Clock): void {
  confirmAct(pages, '/labels/:id/revoke', {
    find: findLabel,
    name: ({ name }) => name,
    describe: async (context, label) => ({
      title: `Revoke the key of ${label.name}`,
      trail: toTrail(label),
      operation: revokeLabelKey,
      button: 'Revoke the key',
      children: (
        <>
          {await describeUse(context, label, clock())}
          <p>
            Its application gets no tokens from then on: its pages cannot use readers as soon as the
            tokens end that it has. It can get a new key later.
          </p>
        </>
      ),
    }),
    async perform(context, { id }) {
      await context.var.api.call(revokeLabelKey, { params: { id }, query: {} })
      return showNext(context, toLabelAddress(id))
    },
  })
}

function addRemoval(pages: PageApp, clock: Clock): void {
  confirmAct(pages, '/labels/:id/remove', {
    find: findLabel,
    name: ({ name }) => name,
    describe: async (context, label) => ({
      title: `Remove ${label.name}`,
      trail: toTrail(label),
      operation: deleteLabel,
      button: 'Remove the label',
      children: (
        <>
          {await describeUse(context, label, clock())}
          <p>
            Its application gets no tokens from then on: its key is gone, and its pages cannot use
            readers as soon as the tokens end that it has. What was counted stays.
          </p>
        </>
      ),
    }),
    async perform(context, { id }) {
      await context.var.api.call(deleteLabel, { params: { id }, query: {} })
      return showNext(context, labelsHome.to)
    },
  })
}

/** Who would notice, before the key stops working. */
async function describeUse(context: PageContext, { id, keyUsedAt }: Label, now: number) {
  const { uses } = await readUses(context, id, now)
  const last =
    keyUsedAt === undefined ? 'never fetched a token' : `fetched a token on ${keyUsedAt}, last`
  return (
    <p>
      Its key {last}. In the last 30 days its pages used readers{' '}
      <strong>{formatCount(uses.total)}</strong> times.
    </p>
  )
}

const toTrail = ({ id, name }: Label) => [labelsHome, { to: toLabelAddress(id), text: name }]
