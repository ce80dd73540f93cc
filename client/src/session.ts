/** A page's calls to its connectors: with a valid token, and with responses whose signature is verified. */

import { abortable } from '@cardwire/protocol/abortable'
import {
  type ClientOperation,
  callOperation,
  type RequestParts,
  sendRequest,
} from '@cardwire/protocol/call'
import type { Operation } from '@cardwire/protocol/operation'
import type { Settings } from './configuration.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import * as endpoints from './endpoints.ts'
import { abortedMessage, CardwireError, createCallError } from './error.ts'
import type { PermissionPromptOptions } from './permission-prompt.ts'
import type { Ports } from './ports.ts'
import { createRequester, type RequestTarget } from './request.ts'
import type { TokenStore } from './token.ts'
import { createResponseVerifier } from './verify-response.ts'

export interface Session {
  readonly ports: Ports
  readonly settings: Settings
  readonly token: TokenStore
  call<O extends Operation, T extends ResponseData<O>>(
    operation: ClientOperation<O, T>,
    parts: RequestParts<O>,
    target: RequestTarget,
  ): Promise<T>
  /** For a response without an end: `use` reads it, and restarts the deadline whenever something arrives. */
  stream<O extends Operation>(
    operation: ClientOperation<O>,
    parts: RequestParts<O>,
    target: RequestTarget,
    use: (response: Response, deadline: Deadline) => Promise<void>,
  ): Promise<void>
}

export type ResponseData<O extends Operation> =
  ClientOperation<O> extends ClientOperation<O, infer D> ? D : never

/** Milliseconds that fetching the connector's public key may take. */
const keyTimeoutMs = 10_000
/** Milliseconds that the page may take to provide another token. */
const renewalTimeoutMs = 30_000

export function createSession(
  ports: Ports,
  settings: Settings,
  token: TokenStore,
  promptOptions: PermissionPromptOptions,
): Session {
  const request = createRequester(ports, settings, token, promptOptions)
  const verifyResponse = createResponseVerifier(ports, (address) =>
    call(endpoints.getDeviceKey, {}, { address, timeoutMs: keyTimeoutMs, signed: false }),
  )

  async function renewToken(
    usedToken: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const deadline = startDeadline(ports, renewalTimeoutMs, signal)
    try {
      await abortable(token.renew(usedToken), deadline.signal)
    } catch (cause) {
      if (deadline.endedBy() === 'aborted') throw createCallError('aborted', abortedMessage, cause)
      const failure = { code: '100', reason: 'token-expired' } as const
      throw new CardwireError(failure, renewalFailedMessage, { cause })
    } finally {
      deadline.release()
    }
  }

  /** Runs it again, once, with another token when the connector refused this one. */
  async function withTokenRenewal<T>(
    run: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const usedToken = token.current()
    try {
      return await run()
    } catch (error) {
      const isTokenRefused = CardwireError.is(error) && error.reason.startsWith('token-')
      if (!isTokenRefused || !token.renewable || signal?.aborted) throw error
      await renewToken(usedToken, signal)
      return run()
    }
  }

  async function call<O extends Operation, T extends ResponseData<O>>(
    operation: ClientOperation<O, T>,
    parts: RequestParts<O>,
    target: RequestTarget,
  ): Promise<T> {
    const result = await withTokenRenewal(
      () => request(operation, target, (transport) => callOperation(operation, parts, transport)),
      target.signal,
    )
    if (target.signed) await verifyResponse(result, target)
    return result.data
  }

  return {
    ports,
    settings,
    token,
    call,
    stream: (operation, parts, target, use) =>
      withTokenRenewal(
        () =>
          request(operation, target, async (transport, deadline) =>
            use(await sendRequest(operation, parts, transport), deadline),
          ),
        target.signal,
      ),
  }
}

const renewalFailedMessage = 'Cannot continue: the page could not get another token'
