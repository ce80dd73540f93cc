/** Decides for every operation who may have it done: token, consent, management token, and whose process asks. */
import { timingSafeEqual } from 'node:crypto'
import { getConsent, type Operation, Problem } from '@cardwire/client/protocol'
import type { Context } from 'hono'
import type { Admitted, ApiEnv, Caller } from './bind.ts'
import type { Services } from './services.ts'

type Parts = Pick<Services, 'tokens' | 'consents' | 'managementToken' | 'ownerOf' | 'log'>

export function authorizer(parts: Parts) {
  return async (operation: Operation, context: Context<ApiEnv>): Promise<Caller> => {
    switch (operation.access) {
      case 'anyone':
        // The person is asked for pages of the person's own browser.
        if (operation.tag === getConsent.tag) await mustBeOurs(parts, context)
        return { kind: 'anyone' }
      case 'management':
        return manager(parts, context)
      default:
        return context.req.header('origin') === undefined
          ? program(parts, context)
          : page(parts, context)
    }
  }
}

/**
 * Whether the whole of `/info` is for this caller: undefined where the short form is. Throws for a program whose token is
 * refused; a page starts with this question, and would take a refusal for "not installed".
 */
export async function knownCaller(
  parts: Parts,
  context: Context<ApiEnv>,
): Promise<Caller | undefined> {
  const origin = context.req.header('origin')
  if (origin !== undefined) {
    if (!parts.consents.holds(origin)) return undefined
    return page(parts, context).catch((error) => {
      if (error instanceof Problem && error.name === 'token-refused') return undefined
      throw error
    })
  }
  return bearer(context) === undefined ? undefined : program(parts, context)
}

async function page(parts: Parts, context: Context<ApiEnv>): Promise<Caller> {
  const origin = context.req.header('origin') ?? ''
  // A program can call itself any origin: what another user runs is no page of this person's browser.
  await mustBeOurs(parts, context)
  const admitted = await admit(parts, context)
  if (!parts.consents.holds(origin)) {
    throw new Problem(
      'consent-required',
      'Cannot answer this page yet: the person has not consented',
    )
  }
  return { kind: 'page', origin, ...admitted }
}

async function program(parts: Parts, context: Context<ApiEnv>): Promise<Caller> {
  await mustBeOurs(parts, context)
  const token = bearer(context)
  if (token !== undefined && matches(token, parts.managementToken)) {
    return { kind: 'program', ...unlimited }
  }
  // Without tokens for pages there is still one for programs: any process could ask otherwise.
  if (token === undefined) throw tokenRefused(parts, noToken)
  if (!parts.tokens.required) throw tokenRefused(parts, notManagement)
  return { kind: 'program', ...(await admit(parts, context)) }
}

async function manager(parts: Parts, context: Context<ApiEnv>): Promise<Caller> {
  if (context.req.header('origin') !== undefined) {
    throw new Problem(
      'management-refused',
      'Cannot do this for a page: it is for programs on this machine',
    )
  }
  await mustBeOurs(parts, context)
  const token = bearer(context)
  if (token === undefined) throw tokenRefused(parts, noToken)
  if (!matches(token, parts.managementToken)) throw tokenRefused(parts, notManagement)
  return { kind: 'program', ...unlimited }
}

/** For the log alone. */
const noToken = 'there was no token'
const notManagement = 'not the management token'

const unlimited: Admitted = { label: undefined, expiresAt: Number.POSITIVE_INFINITY }

async function admit(parts: Parts, context: Context<ApiEnv>): Promise<Admitted> {
  if (!parts.tokens.required) return unlimited
  const token = bearer(context)
  if (token === undefined) throw tokenRefused(parts, noToken)
  try {
    return await parts.tokens.verify(token)
  } catch (error) {
    throw tokenRefused(parts, error instanceof Error ? error.message : 'unknown')
  }
}

/** Another user's process has the same loopback; where the system tells, it gets no further. */
async function mustBeOurs({ ownerOf, log }: Parts, context: Context<ApiEnv>): Promise<void> {
  const owner = await ownerOf(context.env.peer, context.env.port)
  if (owner.kind === 'gone') {
    throw new Problem('caller-refused', 'Cannot answer: the connection was closed meanwhile')
  }
  if (owner.kind !== 'other') return
  log.warn('another user refused', { user: owner.user })
  throw new Problem('caller-refused', 'Cannot answer: this connector belongs to another user')
}

/** Deployed clients send `Bearer` with nothing behind it, or with `undefined`, when they have no token. */
function bearer(context: Context<ApiEnv>): string | undefined {
  const token = /^Bearer(?:\s+(.*))?$/i.exec(context.req.header('authorization') ?? '')?.[1]?.trim()
  return token === undefined || token === '' || token === 'undefined' ? undefined : token
}

function tokenRefused({ log }: Parts, reason: string): Problem {
  log.warn('token refused', { reason })
  return new Problem(
    'token-refused',
    'Cannot accept the token: it is missing, has expired or is not for this connector',
  )
}

/** In the same time whatever they are: both are hashed first, so that their lengths are alike. */
function matches(given: string, expected: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
