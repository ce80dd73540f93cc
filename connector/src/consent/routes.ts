/** The consent endpoints, the same on an API and on the registry; who decides comes in as the desk. */
import {
  type ConsentAnswer,
  getConsent,
  grantConsent,
  Problem,
  requestConsent,
  validateConsents,
} from '@cardwire/client/protocol'
import type { Bind } from '@cardwire/client/protocol/hono'
import type { Context, Env } from 'hono'
import { type AskingPage, type Granted, limits } from './desk.ts'
import { type ConsentParts, reception } from './reception.ts'

/** `userOf`: whose process asks, for a server that has several users. */
export function consentRoutes<E extends Env, Caller>(
  bind: Bind<E, Caller>,
  parts: ConsentParts,
  userOf: (context: Context<E>) => Promise<string | undefined> = async () => undefined,
): void {
  const { desk } = parts
  const request = reception(parts)
  const pageOf = async (context: Context<E>): Promise<AskingPage> => ({
    origin: originOf(context),
    user: await userOf(context),
  })

  bind(validateConsents, async ({ body }, context) => {
    const page = await pageOf(context)
    const [first, ...others] = await desk.validate(page, looked(consentsOf(body)))
    if ('data' in body) {
      if (!first) throw denied()
      return { data: first.consent }
    }
    return { data: first ? approved(first, others) : required }
  })

  bind(requestConsent, async ({ body }, context) => {
    const page = await pageOf(context)
    const { codeWord, durationInDays, consents } = body
    const days = durationInDays || limits.longestDays
    const granted = await request({ ...page, codeWord, days })
    if (wantsString(body, context)) {
      if (!granted) throw denied()
      return { data: granted.consent }
    }
    if (!granted) return { data: required }
    const held = await desk.validate(page, looked(consents ?? []))
    const ofOthers = held.filter(({ agent }) => agent.agentId !== granted.agent.agentId)
    return { data: approved(granted, ofOthers) }
  })

  bind(getConsent, async (_, context) => {
    const [one, another] = await desk.holders(await pageOf(context))
    if (!one || another) throw denied()
    return { data: { apiPort: one.apiPort } }
  })

  bind(grantConsent, async ({ params: { codeWord }, query: { ttl } }, context) => {
    const days = daysOf(ttl) || limits.longestDays
    const granted = await request({ ...(await pageOf(context)), codeWord, days })
    if (!granted) throw denied()
    return { data: { apiPort: granted.agent.apiPort } }
  })
}

function originOf<E extends Env>(context: Context<E>): string {
  const origin = context.req.header('origin')
  if (origin !== undefined) return origin
  throw new Problem(
    'page-unnamed',
    'Cannot speak of consent without an origin: it is given to pages; a program needs a token alone',
  )
}

/**
 * Clients 3.5.0 to 3.5.2 know one consent, as a string, and leave `consents` out; of all versions that do so, they alone
 * send the header `Authorization` without a token.
 */
const wantsString = (body: { readonly consents?: unknown }, context: Context): boolean =>
  body.consents === undefined && /^Bearer\s*$/i.test(context.req.header('authorization') ?? '')

const consentsOf = (body: { readonly consents: string[] } | { readonly data: string }) =>
  'data' in body ? [body.data] : body.consents

/** What of a list is looked at. */
const looked = (consents: readonly string[]) =>
  consents.slice(0, limits.consents).filter((consent) => consent.length <= limits.consentBytes)

const required: ConsentAnswer = { consentState: 'REQUIRED' }

const approved = (first: Granted, others: readonly Granted[]): ConsentAnswer => ({
  consentState: 'APPROVED',
  consents: [first, ...others].map(({ consent }) => consent),
  consent: first.consent,
})

const denied = () =>
  new Problem(
    'consent-required',
    'Cannot let this page in: put its code word on the clipboard, and ask again',
  )

const dayS = 86_400

/** Seconds as days, rounded up; 0 where none are told. */
function daysOf(ttl = '0'): number {
  const days = Math.ceil(Number(ttl) / dayS)
  if (days <= limits.longestDays) return days
  throw new Problem(
    'input-invalid',
    `Cannot accept the query: "ttl": expected at most ${limits.longestDays * dayS} seconds`,
    { errors: [{ path: 'ttl', message: `Expected at most ${limits.longestDays * dayS} seconds` }] },
  )
}
