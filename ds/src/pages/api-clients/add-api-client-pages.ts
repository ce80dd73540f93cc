/** The pages of API clients: programs that manage the service. */
import type { PageApp } from '../frame/page-env.ts'
import { addApiClientPage, type ClientPageServices } from './api-client.tsx'
import { addApiClientActs } from './api-client-acts.tsx'
import { addApiClientList } from './api-clients.tsx'
import { addCredentialForms } from './credential-forms.tsx'
import { addTrustForms } from './trust-forms.tsx'

export function addApiClientPages(pages: PageApp, services: ClientPageServices): void {
  addApiClientList(pages, services)
  addApiClientPage(pages, services)
  addCredentialForms(pages)
  addTrustForms(pages, services)
  addApiClientActs(pages, services)
}
