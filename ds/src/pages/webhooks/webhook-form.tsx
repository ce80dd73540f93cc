/** The fields of a webhook, the list of webhooks, and a new one, whose secret is shown once. */
import {
  listWebhooks,
  putWebhook,
  type Webhook,
  WebhookEventType,
  type WebhookInput,
  webhookBounds,
} from '@cardwire/protocol'
import type { Random } from '../../ports.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { Checkbox, Field, HiddenFields, ProblemNote } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { PagedList } from '../frame/paged-list.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { showSecret } from '../frame/shown-secret.tsx'
import { readTexts } from '../frame/texts.ts'

export const webhooksHome = {
  to: 'webhooks',
  get text() {
    return readTexts().webhooks.title
  },
}
export const toWebhookAddress = (id: string) => `webhooks/${encodeURIComponent(id)}`

export function addWebhookList(pages: PageApp, { random }: { readonly random: Random }): void {
  pages.get('/webhooks', showList)
  pages.get('/webhooks/new', (context) => showNew(context, random.uuid()))
  pages.post('/webhooks/new', async (context) => {
    const form = await readForm(context)
    const body = readWebhook(form)
    // A form that is sent twice creates one.
    const id = form.text('id') || random.uuid()
    const made = await attempt(context.var.api.call(putWebhook, { params: { id }, body }))
    if (made instanceof ApiProblem) return showNew(context, id, body, made)
    const { secret, ...webhook } = made.data
    return secret === undefined
      ? showDone(context, toWebhookAddress(id), putWebhook)
      : showWebhookSecret(context, webhook, secret)
  })
}

export const readWebhook = (form: Form): WebhookInput => ({
  name: form.text('name'),
  url: form.text('url'),
  events: WebhookEventType.options.filter((type) => form.has(type)),
  enabled: form.has('enabled'),
})

export const fieldNames = ['name', 'url', 'events']

export const WebhookFields = ({
  typed,
  problem,
}: {
  readonly typed: WebhookInput
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().webhooks
  const eventsError = explainField(problem, 'events')
  return (
    <>
      <Field
        name="name"
        label={texts.name}
        value={typed.name}
        error={explainField(problem, 'name')}
        required
        maxlength={200}
      />
      <Field
        name="url"
        type="url"
        label={texts.url}
        hint={texts.form.urlHint}
        value={typed.url}
        error={explainField(problem, 'url', ['webhook-address-refused'])}
        required
        maxlength={webhookBounds.urlLength}
      />
      <fieldset>
        <legend>{texts.events}</legend>
        {WebhookEventType.options.map((type) => (
          <Checkbox name={type} label={texts.types[type]} checked={typed.events.includes(type)} />
        ))}
        {eventsError !== undefined && <p class="error">{eventsError}</p>}
      </fieldset>
      <Checkbox
        name="enabled"
        label={texts.form.enabled}
        hint={texts.form.enabledHint}
        checked={typed.enabled}
      />
    </>
  )
}

export const WebhookState = ({ state }: Pick<Webhook, 'state'>) => (
  <span class={{ active: 'tag good', failing: 'tag bad', disabled: 'tag' }[state]}>
    {readTexts().webhooks.states[state]}
  </span>
)

async function showList(context: PageContext) {
  const { page } = context.req.query()
  const { data } = await context.var.api.call(listWebhooks, { query: { page } })
  const texts = readTexts().webhooks
  return showPage(context, {
    title: texts.title,
    children: (
      <PagedList
        to={webhooksHome.to}
        texts={texts.list}
        data={data}
        head={[texts.name, texts.url, texts.events, texts.state]}
        numbers={[]}
        rows={data.items.map((webhook) => [
          <a href={toWebhookAddress(webhook.id)}>{webhook.name}</a>,
          webhook.url,
          webhook.events.map((type) => <div>{texts.types[type]}</div>),
          <WebhookState state={webhook.state} />,
        ])}
      >
        <p>
          <a class="button" href="webhooks/new">
            {texts.list.newLink}
          </a>
        </p>
      </PagedList>
    ),
  })
}

const empty: WebhookInput = { name: '', url: '', events: ['rollout.halted'], enabled: true }

async function showNew(
  context: PageContext,
  id: string,
  typed: WebhookInput = empty,
  problem?: ApiProblem,
) {
  // Those who may not see webhooks get no form for one.
  await context.var.api.call(listWebhooks, { query: { size: '1' } })
  const texts = readTexts().webhooks.form
  return showPage(context, {
    title: texts.newTitle,
    trail: [webhooksHome],
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={fieldNames} />
        <PostForm to="webhooks/new" button={texts.button} cancel={webhooksHome.to}>
          <HiddenFields values={[['id', id]]} />
          <WebhookFields typed={typed} problem={problem} />
        </PostForm>
      </>
    ),
  })
}

/** Shows the secret of a webhook, for the only time. */
export function showWebhookSecret(context: PageContext, { id, name }: Webhook, secret: string) {
  const texts = readTexts().webhooks.secret
  return showSecret(context, {
    title: texts.title,
    trail: [webhooksHome, { to: toWebhookAddress(id), text: name }],
    id: 'webhook-secret',
    copyLabel: texts.copy,
    secret,
    warning: texts.warning,
    done: texts.done,
    children: texts.use,
  })
}
