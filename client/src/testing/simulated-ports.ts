/** The ports of the library over a simulated connector: no request leaves the process. */

import { Problem } from '@cardwire/protocol/problem'
import type { Fetch, Permission, Ports } from '../ports.ts'
import type { Effect, FailureScript } from './failures.ts'
import {
  type BoundOperation,
  forge,
  genuineSignature,
  matchRequest,
  toProblemResponse,
} from './responder.ts'
import { createProblem } from './table-problem.ts'
import type { TestRequest } from './test-types.ts'
import { apiPort, type User } from './user.ts'

export interface SimulatedConnector {
  readonly operations: readonly BoundOperation[]
  readonly user: User
  readonly script: FailureScript
  /** Called with each request of the page. */
  readonly onRequest: (request: TestRequest) => void
  /** Aborted when the connector stops; another one after each start. */
  readonly stopSignal: () => AbortSignal
}

export function createSimulatedPorts(connector: SimulatedConnector): Ports {
  const { script, user } = connector
  const timers = createTimers()

  const fetch: Fetch = async (url, init) => {
    const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), connector.stopSignal()])
    if (signal.aborted) throw createNetworkError()
    if (init.mode === 'no-cors') return answerProbe(script, timers, signal)
    try {
      const { bound, request } = matchRequest(connector.operations, url, init)
      const { params: _, ...received } = request
      connector.onRequest(received)
      const effect = script.next(bound.operation)
      // The deadline of this request is the timer that was started last.
      if (effect?.kind === 'silent') timers.fireLast()
      if (effect?.kind === 'prompt') await waitForPrompt(script, signal)
      else if (effect && effect.kind !== 'forged') return await applyEffect(effect, signal)
      const isRegistry = new URL(url).port !== apiPort
      const headers = new Headers(init.headers)
      if (bound.operation.access === 'consented') requireAccess(user, isRegistry, headers)
      const response = await bound.respond(request, { isRegistry, headers, signal })
      return effect?.kind === 'forged' ? await forge(response) : response
    } catch (error) {
      if (error instanceof Problem) return toProblemResponse(error)
      throw signal.aborted ? createNetworkError() : error
    }
  }

  return {
    fetch,
    storage: createStorage(user),
    page: {
      loopback: false,
      get secure() {
        return script.browser().secure ?? true
      },
      get blockedByPolicy() {
        return script.browser().blockedByPolicy ?? false
      },
    },
    queryPermission: async () => toPermission(script.browser().permission),
    isBlockedByCsp: async () => script.browser().blockedByCsp ?? false,
    clock: Date.now,
    random: (bytes) => crypto.getRandomValues(bytes),
    schedule: timers.schedule,
    subtle: {
      importKey: async () => testKey,
      verify: async (_algorithm, _key, signature) =>
        new TextDecoder().decode(signature) === genuineSignature,
    },
    locks: undefined,
    openChannel: undefined,
  }
}

function createStorage(user: User): Ports['storage'] {
  const stored = new Map<string, string>()
  return {
    // A page finds the consent of an earlier visit under whatever name its application has.
    read: (key) => stored.get(key) ?? toStoredConsent(user.storedConsent()),
    write(key, value) {
      if (value === undefined) stored.delete(key)
      else stored.set(key, value)
    },
  }
}

/** Timers of this process, of which a test can let the last one end at once. */
function createTimers(): Pick<Ports, 'schedule'> & { fireLast(): void } {
  const waiting = new Set<() => void>()
  return {
    schedule(ms, act) {
      const fire = (): void => {
        cancel()
        act()
      }
      const timer = setTimeout(fire, ms)
      const cancel = (): void => {
        clearTimeout(timer)
        waiting.delete(fire)
      }
      waiting.add(fire)
      return cancel
    },
    fireLast: () => [...waiting].at(-1)?.(),
  }
}

/** As a connector does: first the token, then the consent. A registry has no such operation. */
function requireAccess(user: User, isRegistry: boolean, headers: Headers): void {
  if (isRegistry) throw createProblem('route-unknown')
  if (!user.acceptsToken(headers)) throw createProblem('token-refused')
  if (!user.hasConsented()) throw createProblem('consent-required')
}

async function applyEffect(
  effect: Exclude<Effect, { kind: 'forged' | 'prompt' }>,
  signal: AbortSignal,
): Promise<Response> {
  switch (effect.kind) {
    case 'problem':
      throw effect.problem
    case 'malformed':
      return new Response('<!doctype html>')
    case 'unreachable':
      throw createNetworkError(effect.cause)
    case 'silent':
      return waitForAbort(signal)
  }
}

/** How long the browser's prompt stays open: a test that waits for it, without a signal, does not wait for ever. */
const promptMs = 2000
/** Of the real clock: to a page whose timers a test has replaced, the prompt stays open. */
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis

/** Until the user allows the page; rejects when the page gives up, and when the user closes the prompt. */
async function waitForPrompt(script: FailureScript, signal: AbortSignal): Promise<void> {
  const { promise: answered, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = (): void => reject(signal.reason)
  const unlisten = script.onClear(resolve)
  const timer = setRealTimeout(() => reject(createNetworkError()), promptMs)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    await answered
  } finally {
    clearRealTimeout(timer)
    unlisten()
    signal.removeEventListener('abort', onAbort)
  }
}

/** A request without CORS reaches a connector that refuses the origin, and no other. */
async function answerProbe(
  script: FailureScript,
  timers: { fireLast(): void },
  signal: AbortSignal,
): Promise<Response> {
  const probe = script.probe()
  if (probe === 'answered') return new Response()
  if (probe === 'silent') {
    timers.fireLast()
    return waitForAbort(signal)
  }
  throw createNetworkError()
}

const waitForAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

const toPermission = (state: Permission['state'] | undefined): Permission | undefined =>
  state && { state, addEventListener: () => undefined, removeEventListener: () => undefined }

/** As `fetch` fails; only runtimes other than browsers name a cause. */
const createNetworkError = (code?: string): TypeError =>
  new TypeError('Failed to fetch', code === undefined ? {} : { cause: createCause(code) })
const createCause = (code: string): Error => Object.assign(new Error(code), { code })

const toStoredConsent = (consent: string | undefined): string | undefined =>
  consent && JSON.stringify([consent])

const testKey: CryptoKey = {
  algorithm: { name: 'RSASSA-PKCS1-v1_5' },
  extractable: false,
  type: 'public',
  usages: ['verify'],
}
