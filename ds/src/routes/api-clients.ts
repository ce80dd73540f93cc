/** API clients, for administrators. */
import {
  addApiClient,
  addClientCredential,
  changeApiClient,
  getApiClient,
  listApiClients,
  removeApiClient,
  removeClientCredential,
} from '@cardwire/protocol'
import { asc } from 'drizzle-orm'
import { createApiClients } from '../auth/programs/api-clients.ts'
import { apiClients } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { selectPage } from '../http/pagination.ts'
import type { Services } from '../services.ts'

export function bindApiClientRoutes(bind: Bind, services: Services): void {
  const clients = createApiClients(services)

  bind(listApiClients, async ({ query }) => {
    const page = await selectPage(services.db, apiClients, query, undefined, [asc(apiClients.id)])
    return { data: { ...page, items: await clients.describe(page.items) } }
  })

  bind(addApiClient, async ({ body, audit }) => ({ data: await clients.add(audit, body) }))

  bind(getApiClient, async ({ params: { id } }) => ({ data: await clients.find(id) }))

  bind(changeApiClient, async ({ params: { id }, body, audit }) => ({
    data: await clients.change(audit, id, body),
  }))

  bind(removeApiClient, async ({ params: { id }, audit }) => {
    await clients.remove(audit, id)
    return { data: { id } }
  })

  bind(addClientCredential, async ({ params: { id }, body, audit }) => ({
    data: await clients.addCredential(audit, id, body),
  }))

  bind(removeClientCredential, async ({ params: { id, credential }, audit }) => ({
    data: await clients.removeCredential(audit, id, credential),
  }))
}
