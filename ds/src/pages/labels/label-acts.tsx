/** What ends the key of a label: replacing it, revoking it, removing the label. Each says first who would notice. */
import { deleteLabel, type Label, revokeLabelKey, rotateLabelKey } from '@cardwire/protocol'
import type { Clock, Random } from '../../ports.ts'
import { explainField } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import { Select } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import { NewKey, readNewKey } from '../frame/new-key.tsx'
import type { PageApp } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { findLabel, readFirstDay, readUses } from './label-data.ts'
import { labelsHome, showKey, toLabelAddress } from './labels.tsx'
import { UseLimit } from './use-limit.tsx'

/** How long a replaced key works on, as the form offers it: seconds. */
const overlaps = [
  { seconds: 0, text: 'none' },
  { seconds: 3600, text: 'hour' },
  { seconds: 86_400, text: 'day' },
  { seconds: 604_800, text: 'week' },
  { seconds: 2_592_000, text: 'month' },
] as const

interface ActServices {
  readonly clock: Clock
  readonly random: Random
}

export function addLabelActs(pages: PageApp, services: ActServices): void {
  const { clock } = services
  addKeyReplacement(pages, services)
  addKeyRevocation(pages, clock)
  addRemoval(pages, clock)
}

function addKeyReplacement(pages: PageApp, { clock, random }: ActServices): void {
  confirmAct(pages, '/labels/:id/rotate', {
    find: findLabel,
    name: ({ name }) => name,
    describe: async (context, label, refused) => {
      const texts = readTexts().labels.replaceKey
      const { uses } = await readUses(context, label.id, clock())
      return {
        title: texts.title(label.name),
        trail: toTrail(label),
        operation: rotateLabelKey,
        button: texts.button,
        wayBack: 'none',
        children: (
          <>
            {describeUse(label, uses.total, clock())}
            <p>{texts.about}</p>
          </>
        ),
        fields: (
          <>
            <UseLimit of={uses.total} />
            <NewKey form={refused?.form} random={random} />
            <Select
              name="overlap"
              label={texts.overlap}
              value={refused?.form.text('overlap') ?? '86400'}
              options={overlaps.map(({ seconds, text }) => ({
                value: String(seconds),
                text: texts.overlaps[text],
              }))}
              error={explainField(refused?.problem, 'overlap')}
            />
          </>
        ),
      }
    },
    async perform(context, label, form) {
      const apiKey = readNewKey(form) || undefined
      const body = { overlap: Number(form.text('overlap')), apiKey }
      const parts = { params: { id: label.id }, query: readLimit(form), body }
      const { data } = await context.var.api.call(rotateLabelKey, parts)
      return showKey(context, data, data.apiKey ?? '')
    },
  })
}

function addKeyRevocation(pages: PageApp, clock: Clock): void {
  confirmAct(pages, '/labels/:id/revoke', {
    find: findLabel,
    name: ({ name }) => name,
    describe: async (context, label) => {
      const { uses } = await readUses(context, label.id, clock())
      return {
        title: readTexts().labels.revokeKey.title(label.name),
        trail: toTrail(label),
        operation: revokeLabelKey,
        button: readTexts().labels.revokeKey.button,
        wayBack: 'none',
        children: (
          <>
            {describeUse(label, uses.total, clock())}
            <p>{readTexts().labels.revokeKey.about}</p>
          </>
        ),
        fields: <UseLimit of={uses.total} />,
      }
    },
    async perform(context, { id }, form) {
      await context.var.api.call(revokeLabelKey, { params: { id }, query: readLimit(form) })
      return showDone(context, toLabelAddress(id), revokeLabelKey)
    },
  })
}

function addRemoval(pages: PageApp, clock: Clock): void {
  confirmAct(pages, '/labels/:id/remove', {
    find: findLabel,
    name: ({ name }) => name,
    describe: async (context, label) => {
      const { uses } = await readUses(context, label.id, clock())
      return {
        title: readTexts().labels.remove.confirmTitle(label.name),
        trail: toTrail(label),
        operation: deleteLabel,
        button: readTexts().labels.remove.button,
        wayBack: 'none',
        children: (
          <>
            {describeUse(label, uses.total, clock())}
            <p>{readTexts().labels.remove.about}</p>
          </>
        ),
        fields: <UseLimit of={uses.total} />,
      }
    },
    async perform(context, { id }, form) {
      await context.var.api.call(deleteLabel, { params: { id }, query: readLimit(form) })
      return showDone(context, labelsHome.to, deleteLabel)
    },
  })
}

/** Who would notice, before the key stops working. */
const describeUse = ({ keyUsedAt }: Label, uses: number, now: number) => {
  const { labels: texts, numbers } = readTexts()
  return (
    <p>
      {texts.recentUse(keyUsedAt && numbers.day(keyUsedAt), uses, (words) => (
        <strong>{words}</strong>
      ))}
      {keyUsedAt !== undefined && keyUsedAt >= readFirstDay(now) && ` ${texts.reportedLater}`}
    </p>
  )
}

/** Before the page was shown, the limit is 0. */
const readLimit = (form: Form) => ({ maxReach: form.text('maxReach') || '0' })

const toTrail = ({ id, name }: Label) => [labelsHome, { to: toLabelAddress(id), text: name }]
