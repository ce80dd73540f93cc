/** HTTP over TLS to one of our servers on a loopback address, whose certificate is compared by fingerprint before anything is written. */
import { X509Certificate } from 'node:crypto'
import { Agent, type RequestOptions, request } from 'node:http'
import { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { csrfToken } from '@cardwire/protocol/csrf'
import { maxCertificateFileBytes, readSmallFile } from '../../small-file.ts'
import type { LoopbackAddress } from '../server.ts'

export interface PinnedCertificate {
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
}

export interface PinnedServer<C extends PinnedCertificate = PinnedCertificate> {
  readonly port: number
  /** Absent: 127.0.0.1. */
  readonly host?: LoopbackAddress
  /** Milliseconds until TLS is established. */
  readonly connectMs: number
  /** The certificates that are accepted; called for every connection, because certificates are renewed. */
  readonly readPinned: () => Promise<readonly C[]>
}

/** `failed`: the system reports another error. `no-tls`: no TLS in time, or the connection was closed before. */
export type ConnectFailure = 'refused' | 'failed' | 'no-tls' | 'certificate-unknown'
export type RequestFailure = 'timeout' | 'too-large' | 'incomplete' | 'aborted'

export class PinnedTlsError extends Error {
  readonly failure: ConnectFailure | RequestFailure

  constructor(failure: PinnedTlsError['failure'], message: string, cause?: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}

/** The fingerprint of a certificate file (PEM); undefined when it is missing, incomplete, or no small regular file. */
export async function readFingerprint(path: string): Promise<string | undefined> {
  try {
    return normalize(
      new X509Certificate(await readSmallFile(path, maxCertificateFileBytes)).fingerprint256,
    )
  } catch {
    return undefined
  }
}

const normalize = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase()

/** Connects and compares the certificate. Throws a PinnedTlsError with a ConnectFailure. */
export async function connectPinned<C extends PinnedCertificate>({
  port,
  host = '127.0.0.1',
  connectMs,
  readPinned,
}: PinnedServer<C>): Promise<{ readonly socket: TLSSocket; readonly certificate: C }> {
  const socket = await openTls(host, port, connectMs)
  const fingerprint = normalize(socket.getPeerCertificate().fingerprint256)
  const certificate = (await readPinned()).find((pinned) => pinned.fingerprint === fingerprint)
  if (certificate) return { socket, certificate }
  socket.destroy()
  throw new PinnedTlsError(
    'certificate-unknown',
    `Cannot trust the server on port ${port}: its certificate is not known`,
  )
}

async function openTls(host: LoopbackAddress, port: number, connectMs: number): Promise<TLSSocket> {
  const socket = connect({
    host,
    port,
    servername: 'localhost',
    // Bun's client refuses roots with name constraints of addresses, as ours has: the fingerprint is the check.
    rejectUnauthorized: false,
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => reject(new PinnedTlsError('no-tls', `no TLS within ${connectMs / 1000} s`)),
    connectMs,
  )
  socket.once('secureConnect', resolve)
  socket.once('error', (error: Error) => {
    const isRefused = 'code' in error && error.code === 'ECONNREFUSED'
    reject(new PinnedTlsError(isRefused ? 'refused' : 'failed', error.message, error))
  })
  socket.once('close', () => reject(new PinnedTlsError('no-tls', 'the connection was closed')))
  try {
    await promise
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Keeps connections to one pinned server open between requests. */
export class PinnedAgent extends Agent {
  readonly #server: PinnedServer

  constructor(server: PinnedServer, maxSockets: number) {
    super({ keepAlive: true, maxSockets })
    this.#server = server
  }

  override createConnection(
    _: unknown,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    connectPinned(this.#server).then(
      ({ socket }) => done?.(null, socket),
      // With an error the socket is ignored.
      (error: Error) => done?.(error, new Duplex()),
    )
  }
}

export interface PinnedRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string
  /** Milliseconds until the whole response has been read. */
  readonly timeoutMs: number
  /** Bytes of the response; absent: `maxResponseBytes`. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

export interface PinnedResponse {
  readonly status: number
  readonly text: string
}

/** Two hundred requests of pages in one response to a poll are less. */
const maxResponseBytes = 32 * 1024 * 1024

/** `connection`: a PinnedAgent, or a socket of `connectPinned`. Throws a PinnedTlsError, or the error of the system. */
export function sendRequest(
  connection: PinnedAgent | TLSSocket,
  { method, path, headers, body, timeoutMs, maxBytes = maxResponseBytes, signal }: PinnedRequest,
): Promise<PinnedResponse> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new PinnedTlsError('aborted', 'the client is closed'))
    const sent = request({
      ...transportOptions(connection),
      host: 'localhost',
      path,
      method,
      headers: {
        'x-csrf-token': csrfToken,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
    })
    const cleanUp = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (error: Error) => {
      cleanUp()
      sent.destroy()
      reject(error)
    }
    const abort = () => fail(new PinnedTlsError('aborted', 'the client was closed'))
    signal?.addEventListener('abort', abort)
    const timer = setTimeout(
      () => fail(new PinnedTlsError('timeout', `no response within ${timeoutMs / 1000} s`)),
      timeoutMs,
    )
    sent.once('error', fail)
    sent.once('response', (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > maxBytes) fail(new PinnedTlsError('too-large', 'the response is too large'))
      })
      response.once('error', fail)
      response.once('aborted', () =>
        fail(new PinnedTlsError('incomplete', 'the response broke off')),
      )
      response.once('end', () => {
        cleanUp()
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() })
      })
    })
    sent.end(body)
  })
}

const transportOptions = (connection: PinnedAgent | TLSSocket): RequestOptions =>
  connection instanceof PinnedAgent ? { agent: connection } : { createConnection: () => connection }
