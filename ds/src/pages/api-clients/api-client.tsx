/** One API client: its role, its expiry and its credentials. */
import {
  type ApiClient,
  type ClientCredential,
  changeApiClient,
  getApiClient,
} from '@cardwire/protocol'
import type { Clock } from '../../ports.ts'
import { ApiProblem } from '../frame/api.ts'
import { attempt, toPageStatus } from '../frame/change.tsx'
import { showDone } from '../frame/done.tsx'
import { FactList, toTimes } from '../frame/facts.tsx'
import { ProblemNote } from '../frame/fields.tsx'
import { readForm } from '../frame/form.ts'
import { showPage } from '../frame/layout.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { createHref, Empty, Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
import {
  apiClientsHome,
  ClientFields,
  Expiry,
  LastUse,
  readTypedClient,
  type TypedClient,
  toApiClientAddress,
} from './api-clients.tsx'
import { ClaimList } from './claim-list.tsx'

/** `url`: of the service, which tokens of CI systems name as their audience. */
export interface ClientPageServices {
  readonly url: string
  readonly clock: Clock
}

export function addApiClientPage(pages: PageApp, services: ClientPageServices): void {
  pages.get('/api-clients/:id', async (context) => {
    const client = await findApiClient(context)
    return showClient(context, services, client, client)
  })

  pages.post('/api-clients/:id', async (context) => {
    const client = await findApiClient(context)
    const { id, expiresAt } = client
    const body = readTypedClient(await readForm(context), expiresAt)
    const changed = await attempt(context.var.api.call(changeApiClient, { params: { id }, body }))
    if (changed instanceof ApiProblem) return showClient(context, services, client, body, changed)
    return showDone(context, toApiClientAddress(id), changeApiClient)
  })
}

/** The client that the path names. */
export const findApiClient = async (context: PageContext): Promise<ApiClient> => {
  const params = { id: context.req.param('id') ?? '' }
  return (await context.var.api.call(getApiClient, { params })).data
}

/** The pages above those of a client. */
export const toClientTrail = ({ id }: ApiClient) => [
  apiClientsHome,
  { to: toApiClientAddress(id), text: id },
]

async function showClient(
  context: PageContext,
  { url, clock }: ClientPageServices,
  client: ApiClient,
  typed: TypedClient,
  problem?: ApiProblem,
) {
  const { id } = client
  const now = clock()
  const here = toApiClientAddress(id)
  const texts = readTexts().apiClients
  return showPage(context, {
    title: id,
    trail: [apiClientsHome],
    status: toPageStatus(problem),
    children: (
      <>
        <ProblemNote problem={problem} fields={['role', 'description', 'expiresAt']} />
        <FactList facts={describeFacts(client, now)} />
        <p>
          {texts.history(
            (words) => (
              <a href={createHref('audit', { who: id })}>{words}</a>
            ),
            (words) => (
              <a href={createHref('audit', { kind: 'api-client', id })}>{words}</a>
            ),
          )}
        </p>
        <h2>{texts.credentials.title}</h2>
        <Credentials {...{ client, url, now }} />
        <h2>{texts.change.title}</h2>
        <PostForm to={here} button={texts.change.button}>
          <ClientFields typed={typed} problem={problem} />
          <p>{texts.change.note}</p>
        </PostForm>
        <h2>{texts.remove.title}</h2>
        <p>
          <a class="button second" href={`${here}/remove`}>
            {texts.remove.button}
          </a>
        </p>
      </>
    ),
  })
}

function describeFacts(client: ApiClient, now: number) {
  const { administrators, apiClients: texts } = readTexts()
  return {
    [administrators.role]: administrators.roles[client.role],
    [texts.description]: client.description,
    [texts.lastUsed]: <LastUse at={client.lastUsedAt} />,
    [texts.expires]: <Expiry at={client.expiresAt} now={now} />,
    ...toTimes(client),
  }
}

const Credentials = ({
  client: { id, credentials },
  url,
  now,
}: {
  readonly client: ApiClient
  readonly url: string
  readonly now: number
}) => {
  const here = toApiClientAddress(id)
  const { credentials: texts, lastUsed, expires, trust, secret, key } = readTexts().apiClients
  return (
    <>
      {credentials.length === 0 ? (
        <Empty>
          <p>{texts.empty}</p>
        </Empty>
      ) : (
        <Table
          caption={texts.title}
          head={[
            ...[texts.kind, texts.details, texts.added],
            ...[lastUsed, expires, texts.actions],
          ]}
          rows={credentials.map((credential) => [
            texts.kinds[credential.kind],
            <CredentialDetails credential={credential} url={url} />,
            <>
              <Time at={credential.createdAt} />
              <br />
              {credential.createdBy}
            </>,
            <LastUse at={credential.lastUsedAt} />,
            <Expiry at={credential.expiresAt} now={now} />,
            <a
              href={`${here}/credentials/${credential.id}/revoke`}
              aria-label={texts.revoke.label(
                texts.kinds[credential.kind],
                readTexts().numbers.time(credential.createdAt),
              )}
            >
              {texts.revoke.link}
            </a>,
          ])}
        />
      )}
      <p class="actions">
        <a class="button" href={`${here}/secret`}>
          {hasSecret(credentials) ? secret.rotate.button : secret.add.button}
        </a>
        {(['github', 'gitlab', 'other'] as const).map((system) => (
          <a class="button second" href={`${here}/trust/${system}`}>
            {trust.systems[system].link}
          </a>
        ))}
        <a class="button second" href={`${here}/key`}>
          {key.button}
        </a>
      </p>
    </>
  )
}

export const hasSecret = (credentials: readonly ClientCredential[]): boolean =>
  credentials.some(({ kind }) => kind === 'secret')

/** Which tokens it trusts, or which key it is. */
export const CredentialDetails = ({
  credential: { thumbprint, issuer, subject, audience, claims },
  url,
}: {
  readonly credential: ClientCredential
  readonly url: string
}) => {
  if (thumbprint !== undefined) return <code>{thumbprint}</code>
  if (issuer === undefined || subject === undefined) return null
  return <ClaimList trust={{ issuer, subject, audience, claims }} url={url} />
}
