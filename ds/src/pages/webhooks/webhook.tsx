/** One webhook: whether its receiver accepts events, what it is, and the attempts. */
import {
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  putWebhook,
  redeliverWebhookEvent,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookInput,
} from '@cardwire/protocol'
import type { ApiProblem } from '../frame/api.ts'
import { toPageStatus } from '../frame/change.tsx'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import { editForm } from '../frame/edit-form.ts'
import { FactList, toTimes } from '../frame/facts.tsx'
import { ProblemNote, Select } from '../frame/fields.tsx'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Empty, HistoryLink, PageLinks, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import {
  fieldNames,
  readWebhook,
  showWebhookSecret,
  toWebhookAddress,
  WebhookFields,
  WebhookState,
  webhooksHome,
} from './webhook-form.tsx'

type ShownWebhook = Webhook & { readonly etag: string | undefined }

async function find(context: PageContext): Promise<ShownWebhook> {
  const params = { id: context.req.param('id') ?? '' }
  const { data, etag } = await context.var.api.call(getWebhook, { params })
  return { ...data, etag }
}

const toTrail = ({ id, name }: Webhook) => [webhooksHome, { to: toWebhookAddress(id), text: name }]

const toInput = ({ name, url, events, state }: Webhook): WebhookInput => ({
  ...{ name, url, events, enabled: state !== 'disabled' },
})

export function addWebhook(pages: PageApp): void {
  editForm<ShownWebhook, WebhookInput>(pages, '/webhooks/:id', {
    find,
    toAddress: toWebhookAddress,
    toTyped: toInput,
    read: readWebhook,
    show: showWebhook,
    store: ({ var: { api } }, { id }, body, ifMatch) =>
      api.call(putWebhook, { params: { id }, body }, { ifMatch: ifMatch || undefined }),
    operation: putWebhook,
    describeConflict: (current, typed) => describeConflict(current, typed),
  })

  pages.post('/webhooks/:id/test', async (context) => {
    const { id } = await find(context)
    await context.var.api.call(testWebhook, { params: { id } })
    return showDone(context, toWebhookAddress(id), testWebhook)
  })

  pages.post('/webhooks/:id/deliveries/:delivery', async (context) => {
    const { id } = await find(context)
    const params = { id, delivery: context.req.param('delivery') }
    await context.var.api.call(redeliverWebhookEvent, { params })
    return showDone(context, toWebhookAddress(id), redeliverWebhookEvent)
  })

  addSecretReplacement(pages)

  confirmAct(pages, '/webhooks/:id/remove', {
    find,
    name: ({ name }) => name,
    describe: (_context, webhook) => {
      const texts = readTexts().webhooks.remove
      return {
        title: texts.title(webhook.name),
        trail: toTrail(webhook),
        operation: deleteWebhook,
        button: texts.button,
        wayBack: 'none',
        children: <p>{texts.about}</p>,
      }
    },
    async perform(context, { id }) {
      await context.var.api.call(deleteWebhook, { params: { id } })
      return showDone(context, webhooksHome.to, deleteWebhook)
    },
  })
}

/** How long both secrets sign, in seconds. */
const overlaps = { none: 0, hour: 3600, day: 86_400, week: 604_800 } as const

function addSecretReplacement(pages: PageApp): void {
  confirmAct(pages, '/webhooks/:id/secret', {
    find,
    name: ({ name }) => name,
    describe: (_context, webhook, refused) => {
      const texts = readTexts().webhooks.secret
      return {
        title: texts.confirmTitle(webhook.name),
        trail: toTrail(webhook),
        operation: rotateWebhookSecret,
        button: texts.button,
        wayBack: 'none',
        children: <p>{texts.about}</p>,
        fields: (
          <Select
            name="overlap"
            label={texts.overlap}
            value={refused?.form.text('overlap') ?? String(overlaps.day)}
            options={(['none', 'hour', 'day', 'week'] as const).map((name) => ({
              value: String(overlaps[name]),
              text: texts.overlaps[name],
            }))}
          />
        ),
      }
    },
    async perform(context, { id }, form) {
      const body = { overlap: Number(form.text('overlap')) }
      const { data } = await context.var.api.call(rotateWebhookSecret, { params: { id }, body })
      const { secret, ...webhook } = data
      return showWebhookSecret(context, webhook, secret)
    },
  })
}

function describeConflict(current: ShownWebhook, typed: WebhookInput) {
  const texts = readTexts().webhooks
  const show = ({ name, url, events, enabled }: WebhookInput) => [
    name,
    url,
    events.map((type) => texts.types[type]).join(', '),
    enabled ? texts.form.on : texts.form.off,
  ]
  const [stored, mine] = [show(toInput(current)), show(typed)]
  return {
    title: texts.form.conflictTitle,
    trail: toTrail(current),
    kind: 'webhook' as const,
    rows: [texts.name, texts.url, texts.events, texts.form.enabled].map((label, at) => ({
      ...{ label, stored: stored[at] ?? '', mine: mine[at] ?? '' },
    })),
    typed: [
      ['name', typed.name] as const,
      ['url', typed.url] as const,
      ...typed.events.map((type) => [type, 'yes'] as const),
      ...(typed.enabled ? [['enabled', 'yes'] as const] : []),
    ],
  }
}

async function showWebhook(
  context: PageContext,
  webhook: ShownWebhook,
  typed: WebhookInput,
  problem?: ApiProblem,
) {
  const { id, name, state, etag } = webhook
  const here = toWebhookAddress(id)
  const query = { page: context.req.query('page') }
  const { data } = await context.var.api.call(listWebhookDeliveries, { params: { id }, query })
  const texts = readTexts().webhooks
  return showPage(context, {
    title: name,
    trail: [webhooksHome],
    status: toPageStatus(problem),
    children: (
      <>
        {state === 'failing' && <p class="warning">{texts.page.failingNote}</p>}
        {state === 'disabled' && <p class="warning">{texts.page.disabledNote}</p>}
        <FactList facts={toFacts(webhook)} />
        <HistoryLink kind="webhook" id={id} />
        <PostForm to={`${here}/test`} button={texts.page.testButton} />
        <h2>{texts.attempts.title}</h2>
        <Attempts of={id} items={data.items} />
        <PageLinks to={here} query={{}} {...data} />
        <h2>{texts.form.editTitle}</h2>
        <ProblemNote problem={problem} fields={fieldNames} />
        <PostForm to={here} button={texts.form.button} etag={etag}>
          <WebhookFields typed={typed} problem={problem} />
        </PostForm>
        <h2>{texts.secret.heading}</h2>
        <p class="actions">
          <a class="button second" href={`${here}/secret`}>
            {texts.secret.button}
          </a>
          <a class="button second" href={`${here}/remove`}>
            {texts.remove.button}
          </a>
        </p>
      </>
    ),
  })
}

function toFacts(webhook: Webhook) {
  const texts = readTexts().webhooks
  const { state, lastFailure, replacedSecretUntil: until } = webhook
  return {
    [texts.state]: <WebhookState state={state} />,
    [texts.lastFailure]: lastFailure && (
      <>
        <Time at={lastFailure.at} /> {describeReply(lastFailure)}
      </>
    ),
    [texts.page.bothUntil]: until && <Time at={until} />,
    ...toTimes(webhook),
  }
}

/** The HTTP status of the response, or why there was none. */
const describeReply = ({ status, reason }: Pick<WebhookDelivery, 'status' | 'reason'>): string =>
  reason === undefined ? `HTTP ${status}` : readTexts().webhooks.attempts.reasons[reason]

const Attempts = ({
  of: id,
  items,
}: {
  readonly of: string
  readonly items: readonly WebhookDelivery[]
}) => {
  const { attempts: texts, types } = readTexts().webhooks
  if (items.length === 0)
    return (
      <Empty>
        <p>{texts.empty}</p>
      </Empty>
    )
  return (
    <Table
      caption={texts.title}
      head={[texts.time, texts.event, texts.result, texts.actions]}
      rows={items.map((one) => [
        <Time at={one.at} />,
        <>
          {types[one.type]} <code>{one.subject}</code>
        </>,
        `${texts.outcomes[one.outcome]}, ${describeReply(one)}`,
        <PostForm to={`${toWebhookAddress(id)}/deliveries/${one.id}`} button={texts.again} />,
      ])}
    />
  )
}
