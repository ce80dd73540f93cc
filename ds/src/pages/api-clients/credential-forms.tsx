/** What proves that a program is the client: a secret, which is shown once, and a public key. */
import { type ApiClient, addClientCredential, clientLimits } from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { ProblemNote, Select, TextField } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { showSecret } from '../frame/shown-secret.tsx'
import { readTexts } from '../frame/texts.ts'
import { findApiClient, hasSecret, toClientTrail } from './api-client.tsx'
import { toApiClientAddress } from './api-clients.tsx'

const daysOffered = [30, 90, 180, clientLimits.secretDays.default, clientLimits.secretDays.max]

/** How long the older secrets work on, as the form offers it: seconds; none for as long as they would anyway. */
const overlaps = [
  { seconds: '0', text: 'none' },
  { seconds: '3600', text: 'hour' },
  { seconds: '86400', text: 'day' },
  { seconds: '604800', text: 'week' },
  { seconds: '2592000', text: 'month' },
  { seconds: '', text: 'keep' },
] as const

/** Where nothing was chosen: what a form without the field means. */
const defaultOverlap = '86400'

export function addCredentialForms(pages: PageApp): void {
  pages.get('/api-clients/:id/secret', async (context) =>
    showSecretForm(context, await findApiClient(context)),
  )
  pages.post('/api-clients/:id/secret', async (context) => {
    const client = await findApiClient(context)
    const { id } = client
    const form = await readForm(context)
    const overlap = form.text('overlap')
    const body = {
      kind: 'secret' as const,
      days: Number(form.text('days')),
      ...(overlap !== '' && { retireOthersInS: Number(overlap) }),
    }
    const added = await attempt(context.var.api.call(addClientCredential, { params: { id }, body }))
    if (added instanceof ApiProblem) return showSecretForm(context, client, { form, added })
    const { secret = '', expiresAt } = added.data
    const texts = readTexts().apiClients.secret
    return showSecret(context, {
      title: texts.title(id),
      trail: toClientTrail(client),
      id: 'client-secret',
      copyLabel: texts.copy,
      secret,
      warning: texts.warning,
      done: texts.done,
      children: expiresAt && texts.expires(<Time at={expiresAt} />),
    })
  })

  pages.get('/api-clients/:id/key', async (context) =>
    showKeyForm(context, await findApiClient(context)),
  )
  pages.post('/api-clients/:id/key', async (context) => {
    const client = await findApiClient(context)
    const params = { id: client.id }
    const typed = (await readForm(context)).text('jwk')
    const jwk = readJson(typed)
    if (jwk === undefined) return showKeyForm(context, client, { typed })
    // The operation says what is wrong with it.
    const body = { kind: 'key' as const, jwk: jwk as { kty: 'EC' } }
    const added = await attempt(context.var.api.call(addClientCredential, { params, body }))
    if (added instanceof ApiProblem) return showKeyForm(context, client, { typed, added })
    return showDone(context, toApiClientAddress(client.id), addClientCredential)
  })
}

async function showSecretForm(
  context: PageContext,
  client: ApiClient,
  refused?: { readonly form: Form; readonly added: ApiProblem },
) {
  const { numbers, apiClients } = readTexts()
  const texts = apiClients.secret
  const isRotation = hasSecret(client.credentials)
  const { title, about, button } = isRotation ? texts.rotate : texts.add
  const here = toApiClientAddress(client.id)
  const problem = refused?.added
  return showPage(context, {
    title: title(client.id),
    trail: toClientTrail(client),
    status: toPageStatus(problem),
    children: (
      <>
        <p>{about}</p>
        <ProblemNote problem={problem} fields={['days', 'retireOthersInS']} />
        <PostForm to={`${here}/secret`} button={button} cancel={here}>
          <Select
            name="days"
            label={texts.days}
            value={refused?.form.text('days') ?? String(clientLimits.secretDays.default)}
            options={daysOffered.map((days) => ({
              value: String(days),
              text: numbers.duration(days * 86_400),
            }))}
            error={explainField(problem, 'days')}
          />
          {isRotation && (
            <Select
              name="overlap"
              label={texts.overlap}
              value={refused?.form.text('overlap') ?? defaultOverlap}
              options={overlaps.map(({ seconds, text }) => ({
                value: seconds,
                text: texts.overlaps[text],
              }))}
              error={explainField(problem, 'retireOthersInS')}
            />
          )}
        </PostForm>
      </>
    ),
  })
}

async function showKeyForm(
  context: PageContext,
  client: ApiClient,
  refused?: { readonly typed: string; readonly added?: ApiProblem },
) {
  const texts = readTexts().apiClients.key
  const here = toApiClientAddress(client.id)
  const problem = refused?.added
  const wrong = refused && !problem ? texts.notJson : explainKey(problem)
  return showPage(context, {
    title: texts.title(client.id),
    trail: toClientTrail(client),
    status: wrong === texts.notJson ? 422 : toPageStatus(problem),
    children: (
      <>
        <p>{texts.about(<code>private_key_jwt</code>)}</p>
        <ProblemNote problem={problem} fields={problem?.errors.map(({ path }) => path) ?? []} />
        <PostForm to={`${here}/key`} button={texts.button} cancel={here}>
          <TextField
            name="jwk"
            label={texts.jwk}
            hint={texts.hint}
            value={refused?.typed ?? ''}
            error={wrong}
          />
        </PostForm>
      </>
    ),
  })
}

/** Of whatever part of the key. */
const explainKey = (problem: ApiProblem | undefined) =>
  explainField(problem, problem?.errors[0]?.path ?? 'jwk')

/** The object in a text; undefined where there is none. */
function readJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
