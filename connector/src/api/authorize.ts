/** Authorizes every operation: by token, consent, or management token. */
import { timingSafeEqual } from 'node:crypto'
import type { Operation } from '@cardwire/protocol/operation'
import { Problem } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv, Caller, TokenInfo } from '../http/route-types.ts'
import { errorText } from '../system/error-text.ts'
import type { ApiServices } from './api-services.ts'
import { createPolicyProblem, needsPolicy } from './policy-problem.ts'
import { isTokenFault } from './token-verifier.ts'

type AuthorizerServices = Pick<
  ApiServices,
  'tokens' | 'managementToken' | 'findPolicyEnd' | 'log'
> & { readonly consents: Pick<ApiServices['consents'], 'findLatest'> }

export function createAuthorizer(parts: AuthorizerServices) {
  return async (
    operation: Pick<Operation, 'access'>,
    context: Context<ApiEnv>,
  ): Promise<Caller> => {
    switch (operation.access) {
      case 'anyone':
        return { kind: 'anyone' }
      case 'management':
        return authorizeManagement(parts, context)
      default:
        return authorizeByPolicy(parts, context)
    }
  }
}

/** Without a policy in force only the user's own programs are served; a page learns that before its token is looked at. */
async function authorizeByPolicy(
  parts: AuthorizerServices,
  context: Context<ApiEnv>,
): Promise<Caller> {
  const isPage = context.req.header('origin') !== undefined
  if (isPage) requirePolicy(parts)
  const caller = await (isPage ? authorizePage : authorizeProgram)(parts, context)
  if (needsPolicy(caller)) requirePolicy(parts)
  return caller
}

function requirePolicy({ findPolicyEnd }: Pick<AuthorizerServices, 'findPolicyEnd'>): void {
  const end = findPolicyEnd()
  if (end !== undefined) throw createPolicyProblem(end)
}

/**
 * The caller of `/info`; undefined when it gets the short form. Throws for a program whose token is refused. A page is not
 * refused: it calls this first, and would take a refusal for "not installed".
 */
export async function identifyCaller(
  parts: AuthorizerServices,
  context: Context<ApiEnv>,
): Promise<Caller | undefined> {
  const origin = context.req.header('origin')
  if (origin !== undefined) {
    if (!parts.consents.findLatest(origin)) return undefined
    return authorizePage(parts, context).catch((error) => {
      if (error instanceof Problem && error.name === 'token-refused') return undefined
      throw error
    })
  }
  return readBearerToken(context) === undefined ? undefined : authorizeProgram(parts, context)
}

async function authorizePage(parts: AuthorizerServices, context: Context<ApiEnv>): Promise<Caller> {
  const origin = context.req.header('origin') ?? ''
  const token = await verifyToken(parts, context)
  const consent = parts.consents.findLatest(origin)
  if (!consent) {
    throw new Problem(
      'consent-required',
      'Cannot respond to this page yet: the user has not consented',
    )
  }
  return { kind: 'page', origin, consentId: consent.id, ...token }
}

async function authorizeProgram(
  parts: AuthorizerServices,
  context: Context<ApiEnv>,
): Promise<Caller> {
  const token = readBearerToken(context)
  if (token !== undefined && isSameSecret(token, parts.managementToken)) {
    return { kind: 'program', ...noExpiry }
  }
  // Where pages need no token, programs still do: otherwise every process could call the API.
  if (token === undefined) throw refuseToken(parts, tokenMissing)
  if (!parts.tokens.required) throw refuseToken(parts, notManagement)
  return { kind: 'program', ...(await verifyToken(parts, context)) }
}

async function authorizeManagement(
  parts: AuthorizerServices,
  context: Context<ApiEnv>,
): Promise<Caller> {
  if (context.req.header('origin') !== undefined) {
    throw new Problem(
      'management-refused',
      'Cannot do this for a page: only programs on this computer can',
    )
  }
  const token = readBearerToken(context)
  if (token === undefined) throw refuseToken(parts, tokenMissing)
  if (!isSameSecret(token, parts.managementToken)) throw refuseToken(parts, notManagement)
  return { kind: 'program', ...noExpiry }
}

/** Reasons for the log. */
const tokenMissing = 'there was no token'
const notManagement = 'not the management token'

const noExpiry: TokenInfo = { label: undefined, expiresAt: Number.POSITIVE_INFINITY }

async function verifyToken(
  parts: AuthorizerServices,
  context: Context<ApiEnv>,
): Promise<TokenInfo> {
  if (!parts.tokens.required) return noExpiry
  const token = readBearerToken(context)
  if (token === undefined) throw refuseToken(parts, tokenMissing)
  try {
    return await parts.tokens.verify(token)
  } catch (error) {
    throw refuseToken(parts, errorText(error), isTokenFault(error) ? tokenWrong : keysUnavailable)
  }
}

/** Legacy clients without a token send only `Bearer`, or `Bearer undefined`. */
function readBearerToken(context: Context<ApiEnv>): string | undefined {
  const token = /^Bearer(?:\s+(.*))?$/i.exec(context.req.header('authorization') ?? '')?.[1]?.trim()
  return token === undefined || token === '' || token === 'undefined' ? undefined : token
}

/** What a page is told; the reason is for the log. */
const tokenWrong =
  'Cannot accept the token: it is missing, has expired or is not for this connector'
const keysUnavailable =
  'Cannot verify the token: its keys cannot be fetched, the log of the connector has the reason'

function refuseToken(
  { log }: AuthorizerServices,
  reason: string,
  description = tokenWrong,
): Problem {
  log.warn('token refused', { reason })
  return new Problem('token-refused', description)
}

/** In constant time: both are hashed first, so that their lengths are equal. */
function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
