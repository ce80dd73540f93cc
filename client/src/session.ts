/** A page's conversation with its connectors: requests with a token that holds, and answers that are believed. */
import { attempts, type How, type Prompting } from './attempt.ts'
import type { Settings } from './configuration.ts'
import { type Deadline, deadline } from './deadline.ts'
import * as endpoints from './endpoints.ts'
import { CardwireError } from './error.ts'
import { calledOff, failed } from './failed.ts'
import type { Ports } from './ports.ts'
import { type Answer, type Asked, type Callable, call, send } from './protocol/call.ts'
import type { Operation } from './protocol/operation.ts'
import { type Verify, verifier } from './signature.ts'
import type { Token } from './token.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface Session {
  readonly ports: Ports
  readonly settings: Settings
  readonly token: Token
  ask<O extends Operation, T extends DataOf<O>>(
    operation: Callable<O, T>,
    asked: Asked<O>,
    how: How,
  ): Promise<T>
  /** A response that goes on: `use` reads it, and restarts the deadline with each sign of life. */
  follow<O extends Operation>(
    operation: Callable<O>,
    asked: Asked<O>,
    how: How,
    use: (response: Response, deadline: Deadline) => Promise<void>,
  ): Promise<void>
}

export type DataOf<O extends Operation> = Callable<O> extends Callable<O, infer D> ? D : never

/** Milliseconds that a key may take. */
const keyTimeoutMs = 10_000
/** Milliseconds in which the page has to come with another token. */
const renewalMs = 30_000

export function openSession(
  ports: Ports,
  settings: Settings,
  token: Token,
  prompting: Prompting,
): Session {
  const { subtle, clock } = ports
  const attempt = attempts(ports, settings, token, prompting)
  const verifiers = new Map<string, Verify>()

  async function renew(used: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    const limit = deadline(ports, renewalMs, signal)
    try {
      await unlessAborted(token.renew(used), limit.signal)
    } catch (cause) {
      if (limit.ended() === 'aborted') throw failed('aborted', calledOff, cause)
      throw new CardwireError({ code: '100', reason: 'token-expired' }, renewalFailed, { cause })
    } finally {
      limit.release()
    }
  }

  /** Again, once, with another token, when this one is what was wrong. */
  async function withToken<T>(run: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const used = token.current()
    try {
      return await run()
    } catch (error) {
      const refused = CardwireError.is(error) && error.reason.startsWith('token-')
      if (!refused || !token.renewable || signal?.aborted) throw error
      await renew(used, signal)
      return run()
    }
  }

  const verify = async (answer: Answer<unknown>, { address, signal }: How): Promise<void> => {
    if (!subtle) {
      throw failed(
        'page-insecure',
        'Cannot verify what the connector answers: the page has to be served over https',
      )
    }
    const keyOf = { address, timeoutMs: keyTimeoutMs, signed: false }
    const known =
      verifiers.get(address) ??
      verifier(subtle, clock, () => ask(endpoints.getDeviceKey, {}, keyOf))
    verifiers.set(address, known)
    const genuine = await unlessAborted(known(answer), signal).catch((error) => {
      if (CardwireError.is(error)) throw error
      if (signal?.aborted) throw failed('aborted', calledOff, error)
      throw failed('signature-wrong', `Cannot read the key of the connector at ${address}`, error)
    })
    if (!genuine) {
      throw failed(
        'signature-wrong',
        `Cannot believe the answer of ${address}: its signature is wrong`,
      )
    }
  }

  async function ask<O extends Operation, T extends DataOf<O>>(
    operation: Callable<O, T>,
    asked: Asked<O>,
    how: How,
  ): Promise<T> {
    const answer = await withToken(
      () => attempt(operation, how, (via) => call(operation, asked, via)),
      how.signal,
    )
    if (how.signed) await verify(answer, how)
    return answer.data
  }

  return {
    ports,
    settings,
    token,
    ask,
    follow: (operation, asked, how, use) =>
      withToken(
        () =>
          attempt(operation, how, async (via, limit) =>
            use(await send(operation, asked, via), limit),
          ),
        how.signal,
      ),
  }
}

const renewalFailed = 'Cannot go on: the page could not get another token; reload it and try again'
