/** Speaks to the registry over TLS that is pinned: to the certificate of this user, or that of the machine. */
import { Agent, request } from 'node:http'
import { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import type { Operation } from '@cardwire/client/protocol'
import * as z from 'zod/mini'
import { firstFree } from '../system/free-port.ts'
import { times } from './protocol.ts'

/** Whose registry it is: one that this user started, or the service of the machine. */
export type Whose = 'user' | 'service'

export interface Pin {
  readonly whose: Whose
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
}

/** What answers on the port. */
export type Sight =
  | { readonly kind: 'known'; readonly whose: Whose }
  | { readonly kind: 'absent' }
  /** Speaks TLS with a certificate that we do not know. */
  | { readonly kind: 'foreign' }
  /** Speaks no TLS, or nothing at all within the time. */
  | { readonly kind: 'other-program' }

/** The registry answered, and not with what was asked for. */
export class Refused extends Error {
  readonly problem: string

  constructor(problem: string, message: string) {
    super(message)
    this.problem = problem
  }
}

class Silence extends Error {}

export interface Line {
  look(): Promise<Sight>
  /** Throws `Refused`, or any other error when nobody whom we know answers in time. */
  post<const O extends Posted>(
    operation: O,
    body: z.input<O['body']['schema']>,
  ): Promise<z.output<O['reply']['schema']>>
  close(): void
}

type Posted = Operation & {
  readonly body: { readonly schema: z.ZodMiniType }
  readonly reply: { readonly schema: z.ZodMiniType }
}

/** More than the questions of two hundred pages. Bytes. */
const largestAnswer = 32 * 1024 * 1024

const Success = z.object({ success: z.literal(true), data: z.unknown() })
const Failure = z.object({ type: z.string(), description: z.string() })

/** `pins` is asked for every connection: certificates are renewed. */
export function openLine(port: number, pins: () => Promise<readonly Pin[]>): Line {
  const agent = new PinnedAgent(port, pins)
  const closed = new AbortController()
  return {
    async look() {
      try {
        const { socket, pin } = await dial(port, pins)
        socket.destroy()
        return pin ? { kind: 'known', whose: pin.whose } : { kind: 'foreign' }
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        // Wine says of a closed port that it was closed just now: whether anybody has it is seen by taking it.
        const isFree =
          code === 'ECONNREFUSED' || (await firstFree({ first: port, last: port })) !== undefined
        return { kind: isFree ? 'absent' : 'other-program' }
      }
    },
    async post(operation, body) {
      const attempt = () => send(agent, operation.path, JSON.stringify(body), closed.signal)
      // A connection that was kept may have been closed from the other end just now; no answer is another matter.
      const { status, text } = await attempt().catch((error) =>
        error instanceof Silence ? Promise.reject(error) : attempt(),
      )
      const said: unknown = JSON.parse(text)
      if (status === 200) {
        return z.parse(operation.reply.schema, Success.parse(said).data) as z.output<
          (typeof operation)['reply']['schema']
        >
      }
      const { type, description } = Failure.parse(said)
      throw new Refused(type.slice(type.lastIndexOf(':') + 1), description)
    },
    close() {
      // A poll would go on waiting otherwise, and the registry would believe us there.
      closed.abort()
      agent.destroy()
    },
  }
}

/** Bun's client cannot verify our own chain (it refuses name constraints of addresses), so the certificate is compared. */
class PinnedAgent extends Agent {
  readonly #port: number
  readonly #pins: () => Promise<readonly Pin[]>

  constructor(port: number, pins: () => Promise<readonly Pin[]>) {
    // One waits for questions, one takes answers there; one to spare.
    super({ keepAlive: true, maxSockets: 3 })
    this.#port = port
    this.#pins = pins
  }

  override createConnection(
    _: unknown,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    // The socket counts for nothing where there is an error.
    const fail = (error: Error) => done?.(error, new Duplex())
    dial(this.#port, this.#pins).then(({ socket, pin }) => {
      if (pin) return done?.(null, socket)
      socket.destroy()
      fail(new Error('Cannot trust the registry: its certificate is not known'))
    }, fail)
  }
}

/** Nothing is written before the certificate was compared. Throws when there is no TLS within the time. */
async function dial(
  port: number,
  pins: () => Promise<readonly Pin[]>,
): Promise<{ readonly socket: TLSSocket; readonly pin: Pin | undefined }> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: 'localhost',
    rejectUnauthorized: false,
  })
  const secure = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => secure.reject(new Error(`no TLS within ${times.connectMs / 1000} s`)),
    times.connectMs,
  )
  socket.once('secureConnect', secure.resolve)
  socket.once('error', secure.reject)
  socket.once('close', () => secure.reject(new Error('the connection was closed')))
  try {
    await secure.promise
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
  const shown = socket.getPeerCertificate().fingerprint256.replaceAll(':', '').toLowerCase()
  const pin = (await pins()).find(({ fingerprint }) => fingerprint === shown)
  return { socket, pin }
}

function send(
  agent: Agent,
  path: string,
  body: string,
  closed: AbortSignal,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    if (closed.aborted) return reject(new Silence('the line is closed'))
    const sent = request({
      agent,
      host: 'localhost',
      path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-csrf-token': 't1c-js',
      },
    })
    const done = () => {
      clearTimeout(timer)
      closed.removeEventListener('abort', giveUp)
    }
    const fail = (error: Error) => {
      done()
      sent.destroy()
      reject(error)
    }
    const giveUp = () => fail(new Silence('the line was closed'))
    closed.addEventListener('abort', giveUp)
    const timer = setTimeout(
      () => fail(new Silence(`no answer within ${times.requestMs / 1000} s`)),
      times.requestMs,
    )
    sent.once('error', fail)
    sent.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > largestAnswer) fail(new Error('the answer is too large'))
      })
      response.once('error', fail)
      response.once('aborted', () => fail(new Error('the answer broke off')))
      response.once('end', () => {
        done()
        resolve({ status: response.statusCode ?? 0, text })
      })
    })
    sent.end(body)
  })
}
