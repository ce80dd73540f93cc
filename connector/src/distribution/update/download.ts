/** Downloads an installer into a file, and verifies that it is the one that the service offered. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isLoopbackHost } from '@cardwire/protocol/loopback'
import { errorText } from '../../system/error-text.ts'
import { readConnectionOptions } from '../client/connection-options.ts'
import {
  lookupElsewhere,
  type RedirectStep,
  resolveRedirect,
  startDownload,
} from '../client/redirect.ts'
import { deadlines } from '../client/transport.ts'

/** There is no installer. The message is a sentence for the user. */
export class DownloadFailed extends Error {
  constructor(reason: string) {
    super(`Cannot download the installer: ${reason}`)
  }
}

export interface DownloadRequest {
  readonly url: string
  /** The service that offers it. */
  readonly dsUrl: string
  /** SHA-256 in hexadecimal, where the service knows it. */
  readonly sha256?: string | undefined
  /** Bytes, where the service knows them. */
  readonly size?: number | undefined
  /** The file to write; it must not exist. */
  readonly path: string
  /** A file of roots that are trusted beside those of the system, PEM. */
  readonly caFile?: string | undefined
  /** Called with the bytes so far, and with the bytes in all where they are known. */
  readonly progress?: ((bytes: number, all: number | undefined) => void) | undefined
  readonly timeouts?: DownloadTimeouts
}

/** Milliseconds. */
interface DownloadTimeouts {
  /** Until there is a connection. */
  readonly connectMs: number
  /** In which `minBytes` have to come, again and again. */
  readonly silentMs: number
  /** For all of it, redirects included. */
  readonly overallMs?: number
  readonly minBytes?: number
}

export interface DownloadedFile {
  readonly bytes: number
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string
  /** As many as tell the kind of the file. */
  readonly firstBytes: Uint8Array
}

/** Bytes; more than any installer has. */
const maxInstallerBytes = 4 * 1024 ** 3
const maxRedirects = 5
/** Bytes; the longest signature of a kind of file is shorter. */
export const signatureBytes = 16

/** 100 MB over 256 kbit/s take 55 minutes; 4 KiB/s is a tenth of that. */
const defaultTimeouts = {
  connectMs: deadlines.connectMs,
  silentMs: 30_000,
  overallMs: 2 * 3_600_000,
  minBytes: 30 * 4096,
} as const

/** Throws DownloadFailed, and leaves no file then. */
export async function download(request: DownloadRequest): Promise<DownloadedFile> {
  const file = await open(request.path, 'wx', 0o600)
  try {
    const { overallMs } = { ...defaultTimeouts, ...request.timeouts }
    const deadline = AbortSignal.timeout(overallMs)
    const response = await fetchWithRedirects(request, deadline)
    return verify(await writeBody(response, request, file, deadline), request)
  } catch (error) {
    await rm(request.path, { force: true })
    throw error instanceof DownloadFailed ? error : new DownloadFailed(errorText(error))
  } finally {
    await file.close()
  }
}

async function fetchWithRedirects(
  request: DownloadRequest,
  deadline: AbortSignal,
): Promise<IncomingMessage> {
  let step = await startDownload(request.url, request.dsUrl)
  if (step === undefined) throw new DownloadFailed(`${new URL(request.url).host} is this computer`)
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const { url } = step
    checkIsSafe(url, request)
    const response = await sendRequest(step, request, deadline)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return response
    response.destroy()
    if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
      throw new DownloadFailed(`${url.host} responded with status ${statusCode}`)
    }
    const next = resolveRedirect(headers.location, step)
    if (next === undefined) {
      throw new DownloadFailed(`${url.host} redirects to this computer`)
    }
    step = next
  }
  throw new DownloadFailed(`it is redirected more than ${maxRedirects} times`)
}

/** A known digest protects the file on any connection; without one it has to come over TLS, or from this machine. */
function checkIsSafe({ protocol, hostname, origin }: URL, { sha256 }: DownloadRequest): void {
  const isLocal = isLoopbackHost(hostname)
  if (protocol === 'https:') return
  if (protocol === 'http:' && (isLocal || sha256 !== undefined)) return
  throw new DownloadFailed(`${origin} is not https, and the service gives no hash`)
}

async function sendRequest(
  { url, elsewhere }: RedirectStep,
  request: DownloadRequest,
  deadline: AbortSignal,
): Promise<IncomingMessage> {
  const { connectMs, silentMs } = request.timeouts ?? defaultTimeouts
  const connection = await readConnectionOptions(url.href, request.caFile)
  const startRequest = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = startRequest(url, {
      ...connection,
      ...(elsewhere && { lookup: lookupElsewhere }),
    })
    const fail = (error: Error) => {
      clearTimeout(timer)
      sent.destroy()
      reject(error)
    }
    const timeOut = () => fail(new DownloadFailed(`${url.host} is not responding`))
    let timer = setTimeout(timeOut, connectMs)
    const end = () => fail(lateError())
    deadline.addEventListener('abort', end)
    sent.on('socket', (socket) => {
      const waitForResponse = () => {
        clearTimeout(timer)
        timer = setTimeout(timeOut, silentMs)
      }
      // The socket of a proxy agent is connected already.
      if (connection.agent) waitForResponse()
      else socket.once('connect', waitForResponse)
    })
    sent.on('error', fail)
    sent.on('response', (response) => {
      clearTimeout(timer)
      deadline.removeEventListener('abort', end)
      resolve(response)
    })
    sent.end()
  })
}

async function writeBody(
  response: IncomingMessage,
  { size, progress, timeouts }: DownloadRequest,
  file: FileHandle,
  deadline: AbortSignal,
): Promise<DownloadedFile> {
  const contentLength = Number(response.headers['content-length'] ?? Number.NaN)
  const all = size ?? (Number.isNaN(contentLength) ? undefined : contentLength)
  const maxBytes = size ?? maxInstallerBytes
  if (contentLength > maxBytes || (size !== undefined && contentLength < size)) {
    throw new DownloadFailed(`it has ${contentLength} bytes, and not ${maxBytes}`)
  }
  const hash = createHash('sha256')
  let bytes = 0
  let firstBytes = Buffer.alloc(0)
  let bytesBefore = 0
  const { silentMs, minBytes } = { ...defaultTimeouts, ...timeouts }
  const checkRate = () => {
    const received = bytes - bytesBefore
    bytesBefore = bytes
    if (received >= minBytes) return
    const reason = received === 0 ? 'it stopped in the middle' : 'it comes too slowly'
    response.destroy(new DownloadFailed(reason))
  }
  const timer = setInterval(checkRate, silentMs)
  const end = () => response.destroy(lateError())
  deadline.addEventListener('abort', end)
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > maxBytes) throw new DownloadFailed(`it has more than ${maxBytes} bytes`)
      if (firstBytes.length < signatureBytes) {
        firstBytes = Buffer.concat([firstBytes, part]).subarray(0, signatureBytes)
      }
      hash.update(part)
      await file.write(part)
      progress?.(bytes, all)
    }
  } finally {
    clearInterval(timer)
    deadline.removeEventListener('abort', end)
    response.destroy()
  }
  if (!response.complete) throw new DownloadFailed('it stopped in the middle')
  return { bytes, sha256: hash.digest('hex'), firstBytes }
}

const lateError = () => new DownloadFailed('it takes too long')

function verify(file: DownloadedFile, { size, sha256 }: DownloadRequest): DownloadedFile {
  if (size !== undefined && file.bytes !== size) {
    throw new DownloadFailed(`it has ${file.bytes} bytes, and not ${size}`)
  }
  if (sha256 !== undefined && file.sha256 !== sha256.toLowerCase()) {
    throw new DownloadFailed(`its SHA-256 is ${file.sha256}, and not ${sha256}`)
  }
  return file
}
