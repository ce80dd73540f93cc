/** Connections to a program: sends the bytes of requests, and waits for responses, a close or the deadline. */
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { WireRequest } from './framing.ts'
import { MalformedResponse, type RawResponse, readResponses } from './http-response.ts'

export interface Address {
  readonly port: number
  /** The name in the header Host. */
  readonly host: string
  /** The root that is trusted; undefined: no TLS. */
  readonly ca?: () => string
}

export interface Outcome {
  readonly responses: readonly RawResponse[]
  /** `hung`: neither answered nor closed within the deadline. */
  readonly end: 'answered' | 'closed' | 'hung' | 'gone' | 'malformed' | 'unreachable'
  readonly ms: number
  readonly reason?: string
}

interface SendOptions {
  readonly deadlineMs: number
  /** The response never ends: its first bytes are enough; then so many milliseconds pass. */
  readonly streamMs?: number
}

export interface Connections {
  send(request: WireRequest, options: SendOptions): Promise<Outcome>
  close(): void
}

export function openConnections(address: Address): Connections {
  const idle: Socket[] = []
  const take = () => {
    for (let socket = idle.pop(); socket; socket = idle.pop()) {
      if (!socket.destroyed && socket.writable && !socket.readableEnded) return socket
    }
    return undefined
  }
  return {
    async send(request, options) {
      const kept = request.sharesConnection ? take() : undefined
      if (kept) {
        const outcome = await exchange(kept, request, options, idle)
        // The program may close a connection that had nothing to do, at the moment of the next request (RFC 9112 §9.3.1).
        if (outcome.end !== 'closed' || outcome.responses.length > 0) return outcome
      }
      const startedAt = performance.now()
      const socket = await openPatiently(address)
      if (socket instanceof Error) {
        const ms = performance.now() - startedAt
        return { responses: [], end: 'unreachable', ms, reason: socket.message }
      }
      return exchange(socket, request, options, idle)
    },
    close() {
      for (const socket of idle.splice(0)) socket.destroy()
    },
  }
}

/** How often a connection is tried: a server that takes another certificate listens anew, and drops those that came meanwhile. */
const maxAttempts = 3

async function openPatiently(address: Address): Promise<Socket | Error> {
  for (let attempt = 1; ; attempt += 1) {
    const socket = await open(address).catch((error: Error) => error)
    if (!(socket instanceof Error) || attempt === maxAttempts) return socket
    await wait(attempt * 100)
  }
}

/** Milliseconds for a connection, its TLS handshake included. */
const connectMs = 20_000

function open({ port, ca }: Address): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, allowHalfOpen: true }
    const socket = ca
      ? connectTls({ ...options, ca: ca(), servername: 'localhost' })
      : connectTcp(options)
    socket.setNoDelay(true)
    const late = setTimeout(
      () => socket.destroy(new Error('no connection within the deadline')),
      connectMs,
    )
    socket.once('error', reject)
    socket.once(ca ? 'secureConnect' : 'connect', () => {
      clearTimeout(late)
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

/** Milliseconds in which further responses are looked for, to bytes that may be several requests. */
const furtherMs = 20

/** Milliseconds between the parts of a request. */
const betweenPartsMs = 2

function exchange(
  socket: Socket,
  request: WireRequest,
  { deadlineMs, streamMs }: SendOptions,
  idle: Socket[],
): Promise<Outcome> {
  const startedAt = performance.now()
  const received: Buffer[] = []
  let responses: readonly RawResponse[] = []
  return new Promise((resolve) => {
    let isFinished = false
    const finish = (end: Outcome['end'], reason?: string) => {
      if (isFinished) return
      isFinished = true
      clearTimeout(timer)
      socket.off('data', receive).off('end', close).off('close', close).off('error', close)
      const last = responses.at(-1)
      if (end === 'answered' && request.sharesConnection && last?.keepsConnection) {
        socket.pause()
        idle.push(socket)
      } else socket.destroy()
      const ms = performance.now() - startedAt
      resolve({ responses, end, ms, ...(reason !== undefined && { reason }) })
    }
    const read = (hasEnded: boolean) => {
      try {
        const result = readResponses(Buffer.concat(received), request.methods, hasEnded)
        responses = result.responses
        // One who takes what follows for the answer to the next request is led astray.
        if (responses.length > request.methods.length)
          throw new MalformedResponse(`it sent ${responses.length} responses`)
      } catch (error) {
        if (!(error instanceof MalformedResponse)) throw error
        finish('malformed', error.message)
        return true
      }
      return false
    }
    const receive = (part: Buffer) => {
      received.push(part)
      if (read(false)) return
      const last = responses.at(-1)
      if (streamMs !== undefined && last && (last.isComplete || last.body.length > 0)) {
        setTimeout(finish, streamMs, 'answered')
      } else if (request.isOneEnough && last?.isComplete) {
        setTimeout(finish, furtherMs, 'answered')
      } else if (last?.isComplete && responses.length >= request.methods.length) finish('answered')
    }
    const close = () => {
      if (read(true)) return
      const isAnswered = responses.length > 0 && responses.every(({ isComplete }) => isComplete)
      finish(isAnswered ? 'answered' : 'closed')
    }
    const timer = setTimeout(() => finish('hung'), deadlineMs)
    socket.on('data', receive).once('end', close).once('close', close).once('error', close)
    socket.resume()
    void write(socket, request).then(() => {
      if (request.end === 'half-closes') socket.end()
      if (request.end === 'goes') finish('gone')
    })
  })
}

async function write(socket: Socket, { parts }: WireRequest): Promise<void> {
  for (const [at, part] of parts.entries()) {
    if (at > 0) await wait(betweenPartsMs)
    if (socket.destroyed || !socket.writable) return
    socket.write(part)
  }
}
