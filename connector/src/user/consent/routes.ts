/** The consent endpoints, the same on an API and on the registry; each has its own consent service. */
import {
  type ConsentAnswer,
  getConsent,
  grantConsent,
  requestConsent,
  validateConsents,
} from '@cardwire/protocol/consent'
import { isEmptyBearer } from '@cardwire/protocol/empty-bearer'
import type { Bind } from '@cardwire/protocol/hono'
import { Problem } from '@cardwire/protocol/problem'
import type { Context, Env } from 'hono'
import { type ConsentGrant, consentLimits, type Requester } from './consent-service.ts'
import { type ConsentRouteServices, throttleRequests } from './request-throttle.ts'

/** How a server with several users tells their browsers apart. */
export interface Browsers<E extends Env> {
  /** Whose browser it is. */
  identify(context: Context<E>): Omit<Requester, 'origin'>
  /** Called when the page gets a consent of this agent, or has one. */
  onConsent(context: Context<E>, agentId: string): void
}

export function bindConsentRoutes<E extends Env, Caller>(
  bind: Bind<E, Caller>,
  services: ConsentRouteServices,
  browsers?: Browsers<E>,
): void {
  const { consentService } = services
  const requestConsentOnce = throttleRequests(services)
  const identifyPage = (context: Context<E>): Requester => ({
    origin: requireOrigin(context),
    ...browsers?.identify(context),
  })

  const reportConsent = (context: Context<E>, { agent }: ConsentGrant) =>
    browsers?.onConsent(context, agent.agentId)

  bind(validateConsents, async ({ body }, context) => {
    const page = identifyPage(context)
    const [first, ...others] = await consentService.validate(page, dropExcess(readConsents(body)))
    if (first) reportConsent(context, first)
    if ('data' in body) {
      if (!first) throw consentRequired()
      return { data: first.consent }
    }
    return { data: first ? createApproval(first, others) : requiredAnswer }
  })

  bind(requestConsent, async ({ body }, context) => {
    const page = identifyPage(context)
    const { codeWord, durationInDays, consents } = body
    const days = durationInDays || consentLimits.maxDays
    const { grant: granted, retryAfterS } = await requestConsentOnce({ ...page, codeWord, days })
    if (granted) reportConsent(context, granted)
    if (wantsStringForm(body, context)) {
      if (!granted) throw consentRequired()
      return { data: granted.consent }
    }
    if (!granted) return { data: { ...requiredAnswer, ...(retryAfterS && { retryAfterS }) } }
    const valid = await consentService.validate(page, dropExcess(consents ?? []))
    const ofOthers = valid.filter(({ agent }) => agent.agentId !== granted.agent.agentId)
    return { data: createApproval(granted, ofOthers) }
  })

  bind(getConsent, async (_, context) => {
    const [only, another] = await consentService.findActiveAgents(identifyPage(context))
    if (!only || another) throw consentRequired()
    return { data: { apiPort: only.apiPort } }
  })

  bind(grantConsent, async ({ params: { codeWord }, query: { ttl } }, context) => {
    const days = parseTtlDays(ttl) || consentLimits.maxDays
    const { grant: granted } = await requestConsentOnce({
      ...identifyPage(context),
      codeWord,
      days,
    })
    if (!granted) throw consentRequired()
    reportConsent(context, granted)
    return { data: { apiPort: granted.agent.apiPort } }
  })
}

function requireOrigin<E extends Env>(context: Context<E>): string {
  const origin = context.req.header('origin')
  if (origin !== undefined) return origin
  throw new Problem(
    'page-unnamed',
    'Cannot handle consent without an origin: it is granted to pages; a program needs only a token',
  )
}

/**
 * Clients 3.5.0 to 3.5.2 store one consent, as a string, and send no `consents`; of all versions that send none, only they
 * send the header `Authorization` without a token.
 */
const wantsStringForm = (body: { readonly consents?: unknown }, context: Context): boolean =>
  body.consents === undefined && isEmptyBearer(context.req.header('authorization'))

const readConsents = (body: { readonly consents: string[] } | { readonly data: string }) =>
  'data' in body ? [body.data] : body.consents

/** The consents of a list that are within the limits. */
const dropExcess = (consents: readonly string[]) =>
  consents
    .slice(0, consentLimits.maxConsents)
    .filter((consent) => consent.length <= consentLimits.maxConsentBytes)

const requiredAnswer: ConsentAnswer = { consentState: 'REQUIRED' }

const createApproval = (first: ConsentGrant, others: readonly ConsentGrant[]): ConsentAnswer => ({
  consentState: 'APPROVED',
  consents: [first, ...others].map(({ consent }) => consent),
  consent: first.consent,
})

const consentRequired = () =>
  new Problem(
    'consent-required',
    'Cannot allow this page: copy its code word to the clipboard, then ask again',
  )

const dayS = 86_400

/** Seconds as days, rounded up; 0 when absent. */
function parseTtlDays(ttl = '0'): number {
  const days = Math.ceil(Number(ttl) / dayS)
  if (days <= consentLimits.maxDays) return days
  throw new Problem(
    'input-invalid',
    `Cannot accept the query: "ttl": expected at most ${consentLimits.maxDays * dayS} seconds`,
    {
      errors: [
        { path: 'ttl', message: `Expected at most ${consentLimits.maxDays * dayS} seconds` },
      ],
    },
  )
}
