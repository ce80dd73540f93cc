/** The admin console in the browser: adds its pages to the app of the operations, which they call. */
import { Hono, type MiddlewareHandler } from 'hono'
import { contextStorage } from 'hono/context-storage'
import type { AppEnv } from '../http/bind.ts'
import { findLanguage } from '../http/language.ts'
import type { Services } from '../services.ts'
import { addAccount } from './account/account.tsx'
import { addAccountChanges } from './account/account-changes.tsx'
import { addFirstSteps } from './account/first-steps.tsx'
import { addAdministratorPage } from './administrators/administrator.tsx'
import { addAdministratorActs } from './administrators/administrator-acts.tsx'
import { addAdministrators } from './administrators/administrators.tsx'
import { addApiClientPages } from './api-clients/add-api-client-pages.ts'
import { addApprovals } from './approvals/approvals.tsx'
import { addAssets } from './assets/assets.ts'
import { addAudit } from './audit/audit.tsx'
import { addConfigurationPages } from './configurations/add-configuration-pages.ts'
import { addDevices } from './devices/add-devices.ts'
import { addDocuments } from './documents/documents.tsx'
import { addFirstUse } from './first-use/first-use.tsx'
import { showError, showRefused, showUnknown } from './frame/error-pages.tsx'
import { isFromOwnPage } from './frame/own-origin.ts'
import { type PageApp, type PageEnv, pagesPath } from './frame/page-env.ts'
import { requireSession } from './frame/session.ts'
import { addGroupPages } from './groups/add-group-pages.ts'
import { addInstaller } from './installers/installer.tsx'
import { addInstallers } from './installers/installers.tsx'
import { addKeystore } from './installers/keystore.tsx'
import { addLabel } from './labels/label.tsx'
import { addLabelActs } from './labels/label-acts.tsx'
import { addLabels } from './labels/labels.tsx'
import { addLogin } from './login/login.tsx'
import { addOrganization } from './organizations/organization.tsx'
import { addOrganizations } from './organizations/organizations.tsx'
import { addOverview } from './overview/overview.tsx'
import { addRefusals } from './refusals/refusals.tsx'
import { addRolloutPages } from './rollouts/add-rollout-pages.ts'
import { addSessionApi } from './session-api.ts'
import { addSigningKeys } from './signing-keys/signing-keys.tsx'
import { addDownloads } from './use/downloads.tsx'
import { addOrganizationUse } from './use/organization-use.tsx'
import { addUse } from './use/use.tsx'
import { addVersionPages } from './versions/add-version-pages.ts'
import { addWebhookPages } from './webhooks/add-webhook-pages.ts'

export function addPages(app: Hono<AppEnv>, services: Services): Hono<AppEnv> {
  const pages: PageApp = new Hono<PageEnv>()
  pages.onError((error, context) => showError(error, context, services))
  pages.use(contextStorage(), setLanguage, findDocuments(services))
  pages.use(setHeaders)
  addAssets(pages)
  pages.use(refuseOtherPages(services))
  addLogin(pages, services)
  addSessionApi(pages, app, services)
  pages.use(requireSession(app, services))
  addFirstSteps(pages)
  addOverview(pages, services)
  addFirstUse(pages, services)
  addInstallers(pages, services)
  addInstaller(pages)
  addKeystore(pages, services)
  addOrganizations(pages)
  addOrganization(pages)
  addLabels(pages)
  addLabel(pages, services)
  addLabelActs(pages, services)
  addVersionPages(pages, services)
  addRolloutPages(pages, services)
  addGroupPages(pages, services)
  addConfigurationPages(pages, services)
  addUse(pages, services)
  addDownloads(pages, services)
  addOrganizationUse(pages, services)
  addApprovals(pages)
  addAudit(pages)
  addDocuments(pages, services)
  addDevices(pages, services)
  addRefusals(pages)
  addAccount(pages)
  addAccountChanges(pages)
  addSigningKeys(pages, services)
  addWebhookPages(pages, services)
  addAdministrators(pages)
  addAdministratorPage(pages)
  addAdministratorActs(pages)
  addApiClientPages(pages, services)
  pages.all('*', showUnknown)
  app.get('/', (context) => context.redirect(pagesPath.slice(1)))
  app.get(`${pagesPath}/`, (context) => context.redirect('../admin', 301))
  // The variables that pages have besides are set by their own middleware.
  return app.route(pagesPath, pages as unknown as Hono<AppEnv>)
}

/** Nothing from elsewhere and nothing inline; forms go only to this service, and no page frames these. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const setLanguage: MiddlewareHandler<PageEnv> = (context, next) => {
  context.set('language', findLanguage(context))
  return next()
}

const findDocuments =
  ({ readDocument }: Services): MiddlewareHandler<PageEnv> =>
  (context, next) => {
    context.set('hasDocuments', readDocument !== undefined)
    return next()
  }

const setHeaders: MiddlewareHandler<PageEnv> = async (context, next) => {
  await next()
  const { headers } = context.res
  headers.set('content-security-policy', pagePolicy)
  // The browser would otherwise send `Origin: null` with forms.
  headers.set('referrer-policy', 'same-origin')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}

/** Every request but a read has to come from a page of the admin console. */
const refuseOtherPages =
  ({ url, log }: Services): MiddlewareHandler<PageEnv> =>
  async (context, next) => {
    const { method } = context.req
    if (method === 'GET' || method === 'HEAD' || isFromOwnPage(context, url)) return next()
    log.warn('request of another page refused', { requestId: context.get('requestId') })
    return showRefused(context)
  }
