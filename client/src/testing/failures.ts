/** The failures that a test scripts, each as what a page meets: a request that fails, a state of the browser, a response. */

import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import type { RefusalKind } from '../kind.ts'
import type { Permission } from '../ports.ts'
import { createProblem } from './table-problem.ts'
import type { FailureOptions, ScriptedKind, ScriptedProblem } from './test-types.ts'

/** What becomes of a request without CORS: a connector that refuses the origin answers it. Absent: it fails as well. */
type Probe = 'answered' | 'silent'

/** What happens to a request: it fails as `fetch` does, the browser asks, there is no answer, a problem, or a body that cannot be read. */
export type Effect =
  | { readonly kind: 'unreachable'; readonly cause?: string; readonly probe?: Probe }
  | { readonly kind: 'prompt' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'forged' }

/** What the page sees of its browser while the failure lasts. */
export interface BrowserState {
  readonly permission?: Permission['state']
  readonly secure?: false
  readonly blockedByPolicy?: true
  readonly blockedByCsp?: true
}

interface FailureEntry {
  readonly effect: Effect
  readonly browser?: BrowserState
}

const unreachable = { kind: 'unreachable' } as const

/** What happens without a problem of the connector. */
const failures: Readonly<
  Record<Exclude<ScriptedKind, OfConnector | 'code-word-refused' | 'token-refused'>, FailureEntry>
> = {
  'not-running': { effect: unreachable },
  'not-responding': { effect: { ...unreachable, probe: 'silent' } },
  'certificate-untrusted': { effect: { ...unreachable, cause: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } },
  'origin-refused': { effect: { ...unreachable, probe: 'answered' } },
  'permission-needed': { effect: unreachable, browser: { permission: 'prompt' } },
  'permission-pending': { effect: { kind: 'prompt' }, browser: { permission: 'prompt' } },
  'permission-denied': { effect: unreachable, browser: { permission: 'denied' } },
  'permission-impossible': {
    effect: unreachable,
    browser: { permission: 'denied', blockedByPolicy: true },
  },
  'page-insecure': { effect: unreachable, browser: { secure: false } },
  'csp-blocked': { effect: unreachable, browser: { blockedByCsp: true } },
  'signature-wrong': { effect: { kind: 'forged' } },
  timeout: { effect: { kind: 'silent' } },
  'answer-malformed': { effect: { kind: 'malformed' } },
}

/** The kinds that a connector responds with, each as a problem; a connector that refuses an origin does not respond. */
type OfConnector = Exclude<RefusalKind, 'origin-refused'>

/** The problems behind kinds of other names. */
const problemsOfKinds: Partial<Record<ScriptedKind, ProblemName>> = {
  'request-invalid': 'body-malformed',
  // One that no call of the library knows.
  unknown: 'logs-kept',
  'code-word-refused': 'input-invalid',
}

/** What any operation can be answered with, although only some say so. */
const general: readonly ProblemName[] = ['token-refused', 'body-malformed', 'too-many-requests']

/** Where these happen, and the others by default: wherever a connector has them. */
const ownOperation: Partial<Record<ScriptedKind, string>> = {
  'code-word-refused': 'requestConsent',
}

/** A failure, and where it happens. */
interface Scripted extends FailureEntry {
  readonly matches: (request: ScriptedRequest) => boolean
  left: number
}

/** What a request asks for. */
interface ScriptedRequest {
  readonly name: string
  /** The problems that the contract has for this operation. */
  readonly problems: readonly ProblemName[]
}

export interface FailureScript {
  add(failure: ScriptedKind | ScriptedProblem, options: FailureOptions): void
  clear(): void
  /** What happens to a request for this operation; undefined: it is answered. */
  next(request: ScriptedRequest): Effect | undefined
  browser(): BrowserState
  probe(): Probe | undefined
  /** Calls `listener` at the next `clear`; the function that it returns ends that. */
  onClear(listener: () => void): () => void
}

/** `operations`: all that a page can ask for. */
export function createFailureScript(operations: readonly ScriptedRequest[]): FailureScript {
  let scripted: Scripted[] = []
  const listeners = new Set<() => void>()
  /** A problem that the contract has for some operations happens only to these: a list of readers has no wrong PIN. */
  const happensTo = (problem: ProblemName) => {
    const isSpecific =
      !general.includes(problem) && operations.some(({ problems }) => problems.includes(problem))
    return ({ problems }: ScriptedRequest): boolean => !isSpecific || problems.includes(problem)
  }
  const toEntry = (
    failure: ScriptedKind | ScriptedProblem,
    triesLeft: number | undefined,
  ): Omit<Scripted, 'left'> => {
    const everywhere = () => true
    if (typeof failure === 'object') return { effect: toEffect(failure), matches: everywhere }
    if (isOfBrowser(failure)) return { ...failures[failure], matches: everywhere }
    const problem = problemsOfKinds[failure] ?? (failure as ProblemName)
    return { effect: toEffect({ problem, triesLeft }), matches: happensTo(problem) }
  }

  return {
    add(failure, { operation, times = Number.POSITIVE_INFINITY, triesLeft }) {
      const only = operation ?? (typeof failure === 'string' ? ownOperation[failure] : undefined)
      const entry = toEntry(failure, triesLeft)
      const matches = only ? ({ name }: ScriptedRequest) => name === only : entry.matches
      scripted.push({ ...entry, matches, left: times })
    },
    clear() {
      scripted = []
      for (const listener of [...listeners]) listener()
    },
    next(request) {
      const found = scripted.find(({ left, matches }) => left > 0 && matches(request))
      if (!found) return undefined
      found.left -= 1
      return found.effect
    },
    browser: () => scripted.findLast(({ browser }) => browser)?.browser ?? {},
    probe: () =>
      scripted
        .map(({ effect }) => (effect.kind === 'unreachable' ? effect.probe : undefined))
        .find((probe) => probe !== undefined),
    onClear(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const isOfBrowser = (kind: ScriptedKind): kind is keyof typeof failures =>
  Object.hasOwn(failures, kind)

function toEffect({
  problem,
  description,
  triesLeft,
}: {
  readonly problem: ProblemName
  readonly description?: string | undefined
  readonly triesLeft?: number | undefined
}): Effect {
  const extras = triesLeft === undefined ? {} : { triesLeft }
  const found = createProblem(problem, extras)
  return {
    kind: 'problem',
    problem: description === undefined ? found : new Problem(problem, description, extras),
  }
}
