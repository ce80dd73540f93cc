/** Uses of a key that the system keeps: the user is asked first, and each ends with the page that asked. */
import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import type { Context } from 'hono'
import type { ApiEnv } from '../http/route-types.ts'
import type { KeyFailure } from '../sandbox/windows-keys/key-store.ts'
import type { PinAct } from '../user/dialogs/pin-request.ts'
import type { AccessServices } from './access-watch.ts'
import type { ApiServices } from './api-services.ts'
import { createPageWatch } from './page-watch.ts'
import { describeOwn, type OwnCertificate } from './stored-certificates.ts'

export type KeyUseServices = Pick<ApiServices, 'askForKeyUse' | 'log'> & AccessServices

export interface KeyWishes {
  readonly certId?: string | null | undefined
  readonly timeout?: number | null | undefined
  readonly language?: string | null | undefined
}

export interface KeyUse {
  readonly own: OwnCertificate
  readonly act: PinAct
  readonly wishes: KeyWishes
  /** Throws when the page may not use the key; called after the answer. */
  readonly check?: () => void
}

export type UseKey = <T>(
  context: Context<ApiEnv>,
  keyUse: KeyUse,
  use: (signal: AbortSignal) => Promise<T | KeyFailure>,
) => Promise<T>

const defaultTimeoutS = 120
/** Milliseconds that a key may take after the user's answer, with windows of the system. */
const useMs = 180_000

/** The result asks, then uses the key; it throws the problem for the page. */
export function createKeyUse(services: KeyUseServices): UseKey {
  const { askForKeyUse, log } = services
  const watch = createPageWatch(services)
  return async (context, { own, act, wishes, check }, use) => {
    const caller = context.get('caller')
    const origin = caller.kind === 'page' ? caller.origin : undefined
    const ended = watch(context)
    try {
      const { subject, issuer } = describeOwn(own)
      const answer = await askForKeyUse({
        ...{ origin, act, subject, issuer },
        language: wishes.language ?? undefined,
        timeoutMs: (wishes.timeout ?? defaultTimeoutS) * 1000,
        signal: ended.signal,
      })
      ended.check()
      log.info('use of a key asked for', {
        ...{ origin: origin ?? 'a program', act },
        answer: answer === 'accepted' ? answer : answer.problem,
      })
      if (answer !== 'accepted') throw toProblem(answer)
      check?.()
      const result = await use(AbortSignal.any([ended.signal, AbortSignal.timeout(useMs)]))
      ended.check()
      if (isFailure(result)) throw toKeyProblem(result)
      return result
    } finally {
      ended.stop()
    }
  }
}

const failures = {
  cancelled: ['pin-cancelled', 'Cannot use the key: the user gave up, or took too long'],
  missing: ['key-unknown', 'Cannot use the key: Windows does not find it now'],
  unsupported: ['key-unsupported', 'Cannot use the key: Windows refuses it for this'],
} as const satisfies Readonly<Record<KeyFailure, readonly [ProblemName, string]>>

const isFailure = (result: unknown): result is KeyFailure =>
  typeof result === 'string' && Object.hasOwn(failures, result)
function toKeyProblem(failure: KeyFailure): Problem {
  const [name, message] = failures[failure]
  return new Problem(name, message)
}

type Refusal = Exclude<Awaited<ReturnType<ApiServices['askForKeyUse']>>, 'accepted'>

const toProblem = ({ problem, reason, retryAfterS }: Refusal): Problem =>
  new Problem(problem, reason, retryAfterS === undefined ? {} : { retryAfterS })
