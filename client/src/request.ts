/** Sends one request before its deadline: with the headers that every request carries, and failures as a CardwireError. */

import { CallFailure, type ClientOperation, type Transport } from '@cardwire/protocol/call'
import { csrfToken } from '@cardwire/protocol/csrf'
import type { Operation } from '@cardwire/protocol/operation'
import type { Settings } from './configuration.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { diagnose, getAddressSpace } from './diagnose.ts'
import * as endpoints from './endpoints.ts'
import { abortedMessage, CardwireError, createCallError } from './error.ts'
import type { PermissionPromptOptions } from './permission-prompt.ts'
import type { Ports } from './ports.ts'
import { toProblemError } from './problem-error.ts'
import type { TokenStore } from './token.ts'

/** Where one request goes, and how long it may take. */
export interface RequestTarget {
  readonly address: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Whether responses from there are signed: a connector's are, a registry's are not. */
  readonly signed: boolean
}

/** Runs one request, and rejects with a CardwireError when it fails. */
export type Requester = <T>(
  operation: ClientOperation<Operation>,
  target: RequestTarget,
  run: (transport: Transport, deadline: Deadline) => Promise<T>,
) => Promise<T>

export function createRequester(
  ports: Ports,
  { applicationDomain }: Settings,
  token: TokenStore,
  { mayPrompt, onPermissionPrompt }: PermissionPromptOptions,
): Requester {
  const { fetch, page, clock } = ports
  // A page that needs no permission may see the state "prompt" all the same: a response shows that no prompt is open.
  let reached = false

  const createHeaders = ({ access, path }: ClientOperation<Operation>): Record<string, string> => {
    const jwt = token.current()
    const sendsToken = access === 'consented' || path === endpoints.getInfo.path
    return {
      accept: 'application/json',
      'x-csrf-token': csrfToken,
      ...(applicationDomain !== undefined && { 'x-t1c-billing-tag': applicationDomain }),
      ...(sendsToken && jwt !== undefined && { authorization: `Bearer ${jwt}` }),
    }
  }

  async function request<T>(
    operation: ClientOperation<Operation>,
    { address, timeoutMs, signal }: RequestTarget,
    run: (transport: Transport, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const permission = reached || page.loopback ? undefined : await ports.queryPermission()
    const prompts = permission?.state === 'prompt'
    if (prompts && mayPrompt === false) {
      throw createCallError(
        'permission-needed',
        `Cannot reach the connector at ${address}: the browser asks for permission first, so call this from a click`,
      )
    }
    if (prompts) onPermissionPrompt?.()
    const watched = prompts ? permission : undefined
    const deadline = startDeadline(ports, timeoutMs, signal, watched, () => reached)
    const transport: Transport = {
      address,
      // No cookies: consent and token show who may call.
      init: { headers: createHeaders(operation), credentials: 'omit', signal: deadline.signal },
      async fetch(url, init) {
        const response = await fetch(url, { ...init, ...getAddressSpace(address) })
        reached = true
        // There is a response, so the browser asks nothing any more: from here on time counts.
        if (prompts) deadline.restart()
        return response
      },
    }
    try {
      return await run(transport, deadline)
    } catch (error) {
      throw error instanceof CallFailure ? await toCardwireError(error, address, deadline) : error
    } finally {
      deadline.release()
    }
  }

  async function toCardwireError(
    failure: CallFailure,
    address: string,
    deadline: Deadline,
  ): Promise<CardwireError> {
    const prefix = `Cannot use the connector at ${address}`
    const permission = page.loopback ? undefined : await ports.queryPermission()
    const prompts = permission?.state === 'prompt' && !reached
    if (deadline.endedBy() === 'timeout') {
      return createCallError('timeout', `${prefix}: it took too long`, failure)
    }
    if (deadline.endedBy() === 'aborted') {
      return prompts
        ? createCallError(
            'permission-pending',
            `${prefix}: the user did not respond to the browser's permission prompt`,
            failure,
          )
        : createCallError('aborted', abortedMessage, failure)
    }
    if (failure.kind === 'malformed') {
      return createCallError(
        'answer-malformed',
        `Cannot read the response of ${address}: ${failure.message}`,
        failure,
      )
    }
    if (failure.details) return toProblemError(failure.details, token.current(), clock())
    const known = prompts || permission?.state === 'denied' ? permission : undefined
    const {
      reason,
      description,
      alsoPossible = [],
    } = await diagnose(ports, address, known, failure.cause)
    return new CardwireError({ code: '900', reason }, description, {
      cause: failure.cause,
      alsoPossible,
    })
  }

  return request
}
