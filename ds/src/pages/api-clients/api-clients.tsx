/** API clients: the list, and a new one, which gets credentials on its page. */
import {
  type ApiClient,
  addApiClient,
  type ClientCredential,
  clientLimits,
  listApiClients,
} from '@cardwire/protocol'
import type { Clock } from '../../ports.ts'
import { RoleField, toRole } from '../administrators/administrators.tsx'
import { DocumentLinks } from '../documents/document-links.tsx'
import { ApiProblem } from '../frame/api.ts'
import { attempt, explainField, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { Field, ProblemNote } from '../frame/fields.tsx'
import { type Form, readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Empty, PageLinks, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'

export const apiClientsHome = {
  to: 'api-clients',
  get text() {
    return readTexts().apiClients.title
  },
}
export const toApiClientAddress = (id: string) => `api-clients/${encodeURIComponent(id)}`

/** What is typed about a client besides its ID. */
export type TypedClient = Pick<ApiClient, 'role' | 'description' | 'expiresAt'>

export function addApiClientList(pages: PageApp, { clock }: { readonly clock: Clock }): void {
  pages.get('/api-clients', (context) => showList(context, clock()))
  pages.post('/api-clients', async (context) => {
    const form = await readForm(context)
    const body = { id: form.text('id'), ...readTypedClient(form) }
    const added = await attempt(context.var.api.call(addApiClient, { body }))
    if (added instanceof ApiProblem) return showList(context, clock(), body, added)
    return showDone(context, toApiClientAddress(added.data.id), addApiClient)
  })
}

/** `stored`: the expiry until now, which keeps its time when its day is sent again. */
export function readTypedClient(form: Form, stored?: string): TypedClient {
  const day = form.text('expiresAt')
  const expiresAt = day === stored?.slice(0, 10) ? stored : day && `${day}T00:00:00.000Z`
  return {
    role: toRole(form.text('role')),
    description: form.text('description') || undefined,
    expiresAt: expiresAt || undefined,
  }
}

/** Its role, description and expiry. */
export const ClientFields = ({
  typed,
  problem,
}: {
  readonly typed: Partial<TypedClient>
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().apiClients
  return (
    <>
      <RoleField
        value={typed.role ?? 'publisher'}
        hint={texts.roleHint}
        error={explainField(problem, 'role')}
      />
      <Field
        name="description"
        label={texts.description}
        hint={texts.descriptionHint}
        value={typed.description}
        error={explainField(problem, 'description')}
        maxlength={clientLimits.description}
      />
      <Field
        name="expiresAt"
        type="date"
        label={texts.expires}
        hint={texts.expiresHint}
        value={typed.expiresAt?.slice(0, 10)}
        error={explainField(problem, 'expiresAt')}
      />
    </>
  )
}

/** `now`: milliseconds since 1970. */
async function showList(
  context: PageContext,
  now: number,
  typed: Partial<TypedClient> & { readonly id?: string } = {},
  problem?: ApiProblem,
) {
  const { page } = context.req.query()
  const { data } = await context.var.api.call(listApiClients, { query: { page } })
  const texts = readTexts().apiClients
  return showPage(context, {
    title: texts.title,
    status: toPageStatus(problem),
    children: (
      <>
        <p>{texts.about}</p>
        <DocumentLinks to={['apiClients', 'administrators']} />
        {data.total === 0 ? (
          <Empty>
            <p>{texts.empty}</p>
          </Empty>
        ) : (
          <Table
            caption={texts.title}
            head={[
              texts.id,
              readTexts().administrators.role,
              texts.description,
              texts.credentials.title,
              texts.lastUsed,
              texts.expires,
            ]}
            rows={data.items.map((client) => [
              <a href={toApiClientAddress(client.id)}>{client.id}</a>,
              readTexts().administrators.roles[client.role],
              client.description,
              describeCredentials(client.credentials),
              <LastUse at={client.lastUsedAt} />,
              <Expiry at={client.expiresAt} now={now} />,
            ])}
          />
        )}
        <PageLinks to={apiClientsHome.to} query={{}} {...data} />
        <h2>{texts.add.title}</h2>
        <ProblemNote problem={problem} fields={['id', 'role', 'description', 'expiresAt']} />
        <PostForm to={apiClientsHome.to} button={texts.add.button}>
          <Field
            name="id"
            label={texts.id}
            hint={texts.idHint}
            value={typed.id}
            error={explainField(problem, 'id', ['api-client-taken'])}
            required
            maxlength={64}
          />
          <ClientFields typed={typed} problem={problem} />
          <p>{texts.add.note}</p>
        </PostForm>
      </>
    ),
  })
}

function describeCredentials(credentials: readonly ClientCredential[]): string {
  const texts = readTexts().apiClients.credentials
  const kinds = (['secret', 'key', 'federated'] as const).flatMap((kind) => {
    const { length } = credentials.filter((credential) => credential.kind === kind)
    return length === 0 ? [] : [texts.counts[kind](length)]
  })
  return kinds.join(', ') || texts.none
}

export const LastUse = ({ at }: { readonly at: string | undefined }) =>
  at === undefined ? <span>{readTexts().apiClients.never}</span> : <Time at={at} />

/** Marked once it is past. */
export const Expiry = ({ at, now }: { readonly at: string | undefined; readonly now: number }) => {
  if (at === undefined) return <span>{readTexts().apiClients.never}</span>
  const isPast = Date.parse(at) <= now
  return (
    <>
      <Time at={at} /> {isPast && <span class="tag bad">{readTexts().apiClients.expired}</span>}
    </>
  )
}
