/** What takes the access from a program: revoking a credential, and removing its client. */
import { removeApiClient, removeClientCredential } from '@cardwire/protocol'
import { ApiProblem } from '../frame/api.ts'
import { confirmAct } from '../frame/confirm-act.ts'
import { showDone } from '../frame/done.tsx'
import type { PageApp, PageContext } from '../frame/page-env.ts'
import { Time } from '../frame/parts.tsx'
import { readTexts } from '../frame/texts.ts'
import { CredentialDetails, findApiClient, toClientTrail } from './api-client.tsx'
import { apiClientsHome, LastUse, toApiClientAddress } from './api-clients.tsx'

export function addApiClientActs(pages: PageApp, { url }: { readonly url: string }): void {
  confirmAct(pages, '/api-clients/:id/credentials/:credential/revoke', {
    find: findCredential,
    name: ({ client }) => client.id,
    describe: (_, { client, credential }) => {
      const { credentials } = readTexts().apiClients
      const texts = credentials.revoke
      return {
        title: texts.title(credentials.kinds[credential.kind], client.id),
        operation: removeClientCredential,
        trail: toClientTrail(client),
        button: texts.button,
        wayBack: 'none',
        children: (
          <>
            <p>
              {texts.about(
                <Time at={credential.createdAt} />,
                <LastUse at={credential.lastUsedAt} />,
              )}
            </p>
            <CredentialDetails credential={credential} url={url} />
            <p>{texts.effect}</p>
          </>
        ),
      }
    },
    async perform(context, { client: { id }, credential }) {
      const params = { id, credential: credential.id }
      await context.var.api.call(removeClientCredential, { params })
      return showDone(context, toApiClientAddress(id), removeClientCredential)
    },
  })

  confirmAct(pages, '/api-clients/:id/remove', {
    find: findApiClient,
    name: ({ id }) => id,
    describe: (_, client) => {
      const texts = readTexts().apiClients
      return {
        title: texts.remove.confirmTitle(client.id),
        operation: removeApiClient,
        trail: toClientTrail(client),
        button: texts.remove.button,
        wayBack: 'none',
        children: <p>{texts.remove.about(<LastUse at={client.lastUsedAt} />)}</p>,
      }
    },
    async perform(context, { id }) {
      await context.var.api.call(removeApiClient, { params: { id } })
      return showDone(context, apiClientsHome.to, removeApiClient)
    },
  })
}

/** The credential that the path names, with its client. */
async function findCredential(context: PageContext) {
  const client = await findApiClient(context)
  const credential = client.credentials.find(({ id }) => id === context.req.param('credential'))
  if (credential) return { client, credential }
  throw new ApiProblem(404, { type: 'urn:cardwire:problem:api-client-unknown' }, null)
}
