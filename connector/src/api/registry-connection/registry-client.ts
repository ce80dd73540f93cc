/** The client of the registry: over TLS that is pinned to the certificate of this user, or to that of the machine's service. */
import type { Operation } from '@cardwire/protocol/operation'
import * as z from 'zod/mini'
import type { PortConflict } from '../../registry/port-conflict.ts'
import { findFreePort } from '../../system/free-port.ts'
import {
  connectPinned,
  PinnedAgent,
  type PinnedCertificate,
  PinnedTlsError,
  sendRequest,
} from '../../system/ipc/pinned-tls.ts'
import { timeouts } from '../../system/ipc/registry-messages.ts'
import type { LoopbackAddress } from '../../system/server.ts'

/** Whom a registry serves: the user who started it, or as a service every user of the machine. */
export type Scope = 'user' | 'service'

export interface RegistryCertificate extends PinnedCertificate {
  readonly scope: Scope
}

/** What answers on the port. */
export type ProbeResult =
  | { readonly kind: 'known'; readonly scope: Scope }
  | { readonly kind: PortConflict }

/** The registry answered with a problem. */
export class RegistryRefusal extends Error {
  readonly problem: string

  constructor(problem: string, message: string) {
    super(message)
    this.problem = problem
  }
}

export interface RegistryClient {
  /** `host`: the address that is tried; absent: 127.0.0.1. */
  probe(host?: LoopbackAddress): Promise<ProbeResult>
  /** Throws `RegistryRefusal`, or another error when no registry that we know answers in time. */
  post<const O extends PostOperation>(
    operation: O,
    body: z.input<O['body']['schema']>,
  ): Promise<z.output<O['reply']['schema']>>
  close(): void
}

type PostOperation = Operation & {
  readonly body: { readonly schema: z.ZodMiniType }
  readonly reply: { readonly schema: z.ZodMiniType }
}

const SuccessBody = z.object({ success: z.literal(true), data: z.unknown() })
const ProblemBody = z.object({ type: z.string(), description: z.string() })

/** One connection polls, one sends responses, one is spare. */
const maxSockets = 3

/** `readPinned` is called for every connection: certificates are renewed. */
export function createRegistryClient(
  port: number,
  readPinned: () => Promise<readonly RegistryCertificate[]>,
): RegistryClient {
  const server = { port, connectMs: timeouts.connectMs, readPinned }
  const agent = new PinnedAgent(server, maxSockets)
  const closing = new AbortController()
  return {
    async probe(host = '127.0.0.1') {
      try {
        const { socket, certificate } = await connectPinned({ ...server, host })
        socket.destroy()
        return { kind: 'known', scope: certificate.scope }
      } catch (error) {
        const failure = error instanceof PinnedTlsError ? error.failure : undefined
        if (failure === 'certificate-unknown') return { kind: 'foreign' }
        // Wine reports a closed port as a connection that was closed: whether it is free shows by listening on it.
        const isFree =
          failure === 'refused' || (await findFreePort({ first: port, last: port })) !== undefined
        return { kind: isFree ? 'absent' : 'other-program' }
      }
    },
    async post(operation, body) {
      const attempt = () =>
        sendRequest(agent, {
          method: 'POST',
          path: operation.path,
          body: JSON.stringify(body),
          timeoutMs: timeouts.requestMs,
          signal: closing.signal,
        })
      // The registry may have closed a connection that was kept open, so other failures are tried once more.
      const { status, text } = await attempt().catch((error) =>
        isFinal(error) ? Promise.reject(error) : attempt(),
      )
      const response: unknown = JSON.parse(text)
      if (status === 200) {
        return z.parse(operation.reply.schema, SuccessBody.parse(response).data) as z.output<
          (typeof operation)['reply']['schema']
        >
      }
      const { type, description } = ProblemBody.parse(response)
      throw new RegistryRefusal(type.slice(type.lastIndexOf(':') + 1), description)
    },
    close() {
      // A waiting poll would go on, and the registry would count this agent as running.
      closing.abort()
      agent.destroy()
    },
  }
}

const isFinal = (error: unknown) =>
  error instanceof PinnedTlsError && (error.failure === 'timeout' || error.failure === 'aborted')
