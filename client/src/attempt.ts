/** One request in its time: what goes out with every one, and what a failure was. */
import type { Settings } from './configuration.ts'
import { type Deadline, deadline } from './deadline.ts'
import { addressSpaceOf, diagnose } from './diagnose.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError } from './error.ts'
import { calledOff, failed } from './failed.ts'
import type { Ports } from './ports.ts'
import { type Callable, CallFailure, type Via } from './protocol/call.ts'
import type { Operation } from './protocol/operation.ts'
import { refusedBy } from './refused.ts'
import type { Token } from './token.ts'

/** What the page decides about the browser's question, should there be one. */
export interface Prompting {
  /** false: rather than let the browser ask, a call rejects with `permission-needed`, to be tried again from a click. */
  readonly mayPrompt?: boolean | undefined
  /** Called when the browser is asking: tell the person to look for the question. */
  readonly onPermissionPrompt?: (() => void) | undefined
}

/** Where one call goes, and for how long. */
export interface How {
  readonly address: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Whether answers from there are signed: a connector's are, a registry's are not. */
  readonly signed: boolean
}

/** Runs one request; whatever it fails with is told as ours. */
export type Attempt = <T>(
  operation: Callable<Operation>,
  how: How,
  run: (via: Via, deadline: Deadline) => Promise<T>,
) => Promise<T>

export function attempts(
  ports: Ports,
  { applicationDomain }: Settings,
  token: Token,
  { mayPrompt, onPermissionPrompt }: Prompting,
): Attempt {
  const { fetch, page, clock } = ports
  // Some pages need no permission, and are told "prompt" all the same: after an answer no question is open.
  let reached = false

  const headersFor = ({ access, path }: Callable<Operation>): Record<string, string> => {
    const jwt = token.current()
    const asksAsPage = access === 'consented' || path === endpoints.getInfo.path
    return {
      accept: 'application/json',
      'x-csrf-token': 't1c-js',
      ...(applicationDomain !== undefined && { 'x-t1c-billing-tag': applicationDomain }),
      ...(asksAsPage && jwt !== undefined && { authorization: `Bearer ${jwt}` }),
    }
  }

  async function attempt<T>(
    operation: Callable<Operation>,
    { address, timeoutMs, signal }: How,
    run: (via: Via, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const permission = reached || page.loopback ? undefined : await ports.permission()
    const asking = permission?.state === 'prompt'
    if (asking && mayPrompt === false) {
      throw failed(
        'permission-needed',
        `Cannot reach the connector at ${address}: ask from a click`,
      )
    }
    if (asking) onPermissionPrompt?.()
    const limit = deadline(ports, timeoutMs, signal, asking ? permission : undefined, () => reached)
    const via: Via = {
      address,
      // No cookies: whoever may call shows it by consent and token.
      init: { headers: headersFor(operation), credentials: 'omit', signal: limit.signal },
      async fetch(url, init) {
        const response = await fetch(url, { ...init, ...addressSpaceOf(address) })
        reached = true
        // Who answers was let in, whatever the permission says: from here on time counts.
        if (asking) limit.restart()
        return response
      },
    }
    try {
      return await run(via, limit)
    } catch (error) {
      throw await explain(error, address, limit)
    } finally {
      limit.release()
    }
  }

  async function explain(error: unknown, address: string, limit: Deadline): Promise<unknown> {
    if (!(error instanceof CallFailure)) return error
    const at = `Cannot use the connector at ${address}`
    const permission = page.loopback ? undefined : await ports.permission()
    const asking = permission?.state === 'prompt' && !reached
    if (limit.ended() === 'timeout') return failed('timeout', `${at}: it took too long`, error)
    if (limit.ended() === 'aborted') {
      return asking
        ? failed('permission-pending', `${at}: the browser's question was not answered`, error)
        : failed('aborted', calledOff, error)
    }
    if (error.kind === 'malformed') {
      return failed(
        'answer-malformed',
        `Cannot read the answer of ${address}: ${error.message}`,
        error,
      )
    }
    if (error.refusal) return refusedBy(error.refusal, token.current(), clock())
    const known = asking || permission?.state === 'denied' ? permission : undefined
    const {
      reason,
      description,
      alsoPossible = [],
    } = await diagnose(ports, address, known, error.cause)
    return new CardwireError({ code: '900', reason }, description, {
      cause: error.cause,
      alsoPossible,
    })
  }

  return attempt
}
