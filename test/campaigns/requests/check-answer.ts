/** Looks at what came for a request, and says what must not have. */
import { type Operation, ProblemBody, problemType } from '@cardwire/protocol'
import type { Outcome } from './connection.ts'
import { describeOperation } from './described-operation.ts'
import {
  answersBelowUs,
  closings,
  documentedServerErrors,
  forbiddenTexts,
  heldBack,
  isMadeGet,
  type TargetName,
} from './documented.ts'
import type { RawResponse } from './http-response.ts'
import type { PlannedRequest } from './planned-request.ts'

/** What must hold for every request; each is described in docs/reliability.md. */
export const invariants = [
  'no-server-error',
  'answered-in-time',
  'problem-body',
  'nothing-leaks',
  'guarded',
  'as-documented',
  'memory',
  'kept-unchanged',
  'correct-after',
  'integrity',
  'audited',
  'limited',
] as const
export type Invariant = (typeof invariants)[number]

export interface Fault {
  readonly invariant: Invariant
  readonly reason: string
}

export interface Circumstances {
  readonly target: TargetName
  readonly secrets: readonly string[]
  /** The bytes that were sent: what they had in them may come back. */
  readonly sent: string
}

/** Of a problem with 20 faults of the longest kind (client/protocol/src/problem.ts). */
const maxProblemCharacters = 16_384

/** Kinds of access that need no credential, or do not from this machine. */
const openAccess: readonly Operation['access'][] = ['anyone', 'local']

export function checkAnswer(
  request: PlannedRequest,
  outcome: Outcome,
  circumstances: Circumstances,
): readonly Fault[] {
  const { end, responses, reason = '' } = outcome
  const isOneOf = (table: typeof closings) =>
    table.some(({ targets, applies }) => targets.includes(circumstances.target) && applies(request))
  if (end === 'hung' && isOneOf(heldBack)) return []
  if (end === 'hung') return [fault('answered-in-time', `hung for ${Math.round(outcome.ms)} ms`)]
  if (end === 'unreachable') return [fault('answered-in-time', `no connection: ${reason}`)]
  if (end === 'malformed') return [fault('problem-body', reason)]
  if (end === 'gone') return []
  if (responses.length === 0) {
    return isOneOf(closings) ? [] : [fault('problem-body', 'closed without an answer')]
  }
  return responses.flatMap((response) => checkResponse(request, response, circumstances))
}

const fault = (invariant: Invariant, reason: string): Fault => ({ invariant, reason })

function checkResponse(
  request: PlannedRequest,
  response: RawResponse,
  circumstances: Circumstances,
): readonly Fault[] {
  const { status } = response
  const text = response.body.toString('utf8')
  const foreign = answersBelowUs[circumstances.target].some(
    ({ statuses, body, kinds = [request.kind] }) =>
      statuses.includes(status) && body.test(text) && kinds.includes(request.kind),
  )
  if (foreign) return checkSecrets(text, circumstances)
  return [
    ...checkServerError(response, text, circumstances),
    ...(status >= 400
      ? checkProblem(request, response, text)
      : isMadeGet(circumstances.target, request)
        ? []
        : checkSuccess(request, status, text)),
    ...checkDocumented(request, status),
    ...checkSecrets(text, circumstances),
    ...checkLeaks(text, circumstances),
  ]
}

function checkServerError(
  { status, headers }: RawResponse,
  text: string,
  { target }: Circumstances,
): readonly Fault[] {
  if (status < 500) return []
  const known = documentedServerErrors[target].find(
    (entry) => entry.status === status && text.includes(`"${entry.code}"`),
  )
  if (known && (!known.hasRetryAfter || headers.has('retry-after'))) return []
  return [fault('no-server-error', `${status} ${text.slice(0, 300)}`)]
}

/** RFC 6749 §5.2, which the endpoints of OAuth 2.0 answer with. */
const isOauthError = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  ['error', 'error_description'].every((name) => typeof Reflect.get(body, name) === 'string')

function checkProblem(
  { method, operation }: PlannedRequest,
  { status, headers }: RawResponse,
  text: string,
): readonly Fault[] {
  if (method === 'HEAD') return []
  if (operation?.failures === 'empty' && text === '') return []
  const body = parse(text)
  if (operation?.failures === 'oauth' && isOauthError(body)) return []
  if (headers.get('content-type') !== problemType) {
    const type = headers.get('content-type') ?? 'none'
    return [fault('problem-body', `${status} has the type ${type}: ${text.slice(0, 120)}`)]
  }
  if (text.length > maxProblemCharacters)
    return [fault('problem-body', `${status} has ${text.length} characters`)]
  const result = ProblemBody.safeParse(body)
  if (!result.success) return [fault('problem-body', `${status} ${text.slice(0, 200)}`)]
  return result.data.status === status && result.data.description !== ''
    ? []
    : [fault('problem-body', `${status} says ${text.slice(0, 200)}`)]
}

/** The credential was right, and the data have the form of the contract. */
function checkSuccess(request: PlannedRequest, status: number, text: string): readonly Fault[] {
  const { operation, credential, method, group } = request
  if (!operation || status >= 300 || method === 'OPTIONS') return []
  if (credential !== 'right' && !openAccess.includes(operation.access)) {
    return [fault('guarded', `${status} for the credential "${credential}": ${text.slice(0, 120)}`)]
  }
  const { reply } = operation
  if (reply.kind === 'response' || method !== operation.method || group === 'hostile') return []
  const body = parse(text)
  const data = reply.kind === 'document' ? body : (body as { data?: unknown } | undefined)?.data
  const result = reply.schema.safeParse(data)
  if (result.success) return []
  return [fault('as-documented', `${status} is not as the contract says: ${text.slice(0, 200)}`)]
}

/** Of every request that reaches a server, whatever it is for. */
const commonStatuses = [400, 403, 404, 405, 408, 413, 415, 421, 422, 429, 431] as const

function checkDocumented({ operation, method }: PlannedRequest, status: number): readonly Fault[] {
  // Another method is another operation.
  if (!operation || method !== operation.method || status >= 500 || status < 300) return []
  const isKnown =
    (commonStatuses as readonly number[]).includes(status) ||
    Object.hasOwn(describeOperation(operation).responses, status)
  return isKnown ? [] : [fault('as-documented', `${operation.name} does not document ${status}`)]
}

function checkSecrets(text: string, { secrets, sent }: Circumstances): readonly Fault[] {
  const hasSecret = secrets.some((one) => text.includes(one) && !sent.includes(one))
  return hasSecret ? [fault('nothing-leaks', `a secret: ${text.slice(0, 300)}`)] : []
}

function checkLeaks(text: string, { sent }: Circumstances): readonly Fault[] {
  return forbiddenTexts.flatMap((pattern) => {
    const found = pattern.exec(text)?.[0]
    if (found === undefined || sent.includes(found)) return []
    return [fault('nothing-leaks', `${JSON.stringify(found)} in ${text.slice(0, 300)}`)]
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
