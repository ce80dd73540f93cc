/** The failures that a test scripts, each as what a page meets: a request that fails, a state of the browser, a response. */

import { Problem, type ProblemExtras, type ProblemName } from '@cardwire/protocol/problem'
import type { Permission } from '../ports.ts'
import type { FailureOptions, ScriptedProblem, ScriptedReason } from './test-types.ts'

/** What becomes of a request without CORS: a connector that refuses the origin answers it. Absent: it fails as well. */
type Probe = 'answered' | 'silent'

/** What happens to a request: it fails as `fetch` does, there is no answer, a problem, or a body that cannot be read. */
export type Effect =
  | { readonly kind: 'unreachable'; readonly cause?: string; readonly probe?: Probe }
  | { readonly kind: 'silent'; readonly timesOut?: boolean }
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
const toProblemEffect = (
  name: ProblemName,
  description: string,
  extras: ProblemExtras = {},
): Effect => ({ kind: 'problem', problem: new Problem(name, description, extras) })

const failures: Readonly<Record<ScriptedReason, FailureEntry>> = {
  'not-running': { effect: unreachable },
  'not-responding': { effect: { ...unreachable, probe: 'silent' } },
  'certificate-untrusted': { effect: { ...unreachable, cause: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } },
  'origin-refused': { effect: { ...unreachable, probe: 'answered' } },
  'permission-needed': { effect: unreachable, browser: { permission: 'prompt' } },
  'permission-pending': { effect: { kind: 'silent' }, browser: { permission: 'prompt' } },
  'permission-denied': { effect: unreachable, browser: { permission: 'denied' } },
  'permission-impossible': {
    effect: unreachable,
    browser: { permission: 'denied', blockedByPolicy: true },
  },
  'page-insecure': { effect: unreachable, browser: { secure: false } },
  'csp-blocked': { effect: unreachable, browser: { blockedByCsp: true } },
  'code-word-refused': {
    effect: toProblemEffect('input-invalid', 'Cannot accept the body: "codeWord": refused'),
  },
  'token-refused': { effect: toProblemEffect('token-refused', 'Cannot accept the token') },
  'signature-wrong': { effect: { kind: 'forged' } },
  timeout: { effect: { kind: 'silent', timesOut: true } },
  'answer-malformed': { effect: { kind: 'malformed' } },
}

/** Where `code-word-refused` happens, and the others by default: everywhere. */
const ownOperation: Partial<Record<ScriptedReason, string>> = {
  'code-word-refused': 'requestConsent',
}

export interface FailureScript {
  add(failure: ScriptedReason | ScriptedProblem, options: FailureOptions): void
  clear(): void
  /** What happens to a request for this operation; undefined: it is answered. */
  next(operation: string): Effect | undefined
  browser(): BrowserState
  probe(): Probe | undefined
}

export function createFailureScript(): FailureScript {
  let scripted: (FailureEntry & { readonly operation?: string | undefined; left: number })[] = []
  return {
    add(failure, { operation, times = Number.POSITIVE_INFINITY }) {
      const isReason = typeof failure === 'string'
      const entry: FailureEntry = isReason
        ? failures[failure]
        : {
            effect: toProblemEffect(
              failure.problem,
              failure.description ?? `Cannot do this: the test scripted ${failure.problem}`,
              failure.triesLeft === undefined ? {} : { triesLeft: failure.triesLeft },
            ),
          }
      const only = operation ?? (isReason ? ownOperation[failure] : undefined)
      scripted.push({ ...entry, operation: only, left: times })
    },
    clear() {
      scripted = []
    },
    next(operation) {
      const found = scripted.find(
        (one) => one.left > 0 && (one.operation === undefined || one.operation === operation),
      )
      if (!found) return undefined
      found.left -= 1
      return found.effect
    },
    browser: () => scripted.findLast(({ browser }) => browser)?.browser ?? {},
    probe: () =>
      scripted
        .map(({ effect }) => (effect.kind === 'unreachable' ? effect.probe : undefined))
        .find((probe) => probe !== undefined),
  }
}
