/** Downloads an installer into a file, and checks that it is the one that was offered. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isLoopback } from '../pki/names.ts'
import { agentFor, deadlines, roots } from '../sync/link.ts'

/** Why there is no installer: a sentence for the person. */
export class DownloadFailed extends Error {
  constructor(reason: string) {
    super(`Cannot download the installer: ${reason}`)
  }
}

export interface DownloadOrder {
  readonly url: string
  /** SHA-256, hexadecimal, and bytes, as far as they are known. */
  readonly sha256?: string | undefined
  readonly size?: number | undefined
  /** Where it goes; must not be there. */
  readonly path: string
  /** A file of roots that count beside those of the system, PEM. */
  readonly caFile?: string | undefined
  /** Called with the bytes so far, and those of all where that is known. */
  readonly progress?: ((bytes: number, all: number | undefined) => void) | undefined
  /** Milliseconds to connect, and without a byte. */
  readonly patience?: { readonly connectMs: number; readonly silentMs: number }
}

export interface Downloaded {
  readonly bytes: number
  /** SHA-256, lower-case hexadecimal. */
  readonly sha256: string
  readonly first: Uint8Array
}

/** Bytes; more than any installer has. */
const largest = 4 * 1024 ** 3
/** Redirects that are followed. */
const furthest = 5
/** Bytes by which the kind of a file is told. */
const beginning = 16

const usualPatience = { connectMs: deadlines.connectMs, silentMs: 30_000 }

/** Throws DownloadFailed; then there is no file. */
export async function download(order: DownloadOrder): Promise<Downloaded> {
  const file = await open(order.path, 'wx', 0o600)
  try {
    return check(await take(await answerTo(order), order, file), order)
  } catch (error) {
    await rm(order.path, { force: true })
    throw error instanceof DownloadFailed ? error : new DownloadFailed(textOf(error))
  } finally {
    await file.close()
  }
}

async function answerTo(order: DownloadOrder): Promise<IncomingMessage> {
  let url = order.url
  for (let step = 0; step <= furthest; step += 1) {
    mustBeSafe(new URL(url), order)
    const answer = await ask(url, order)
    const { statusCode = 0, headers } = answer
    if (statusCode === 200) return answer
    answer.destroy()
    if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
      throw new DownloadFailed(`${new URL(url).host} answers with status ${statusCode}`)
    }
    url = new URL(headers.location, url).href
  }
  throw new DownloadFailed(`it is redirected more than ${furthest} times`)
}

/** Nobody on the way can change what has a digest; anything else comes over TLS, or from this machine. */
function mustBeSafe({ protocol, hostname, origin }: URL, { sha256 }: DownloadOrder): void {
  const own = hostname === 'localhost' || isLoopback(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && (own || sha256 !== undefined))) return
  throw new DownloadFailed(`${origin} is not https, and the service names no digest`)
}

async function ask(url: string, order: DownloadOrder): Promise<IncomingMessage> {
  const { connectMs, silentMs } = order.patience ?? usualPatience
  const secure = new URL(url).protocol === 'https:'
  const ca = secure ? roots(order.caFile) : undefined
  const agent = await agentFor(url)
  return new Promise((resolve, reject) => {
    const sent = (secure ? httpsRequest : httpRequest)(url, { agent, ...(ca && { ca }) })
    const fail = (error: Error) => {
      clearTimeout(waiting)
      sent.destroy()
      reject(error)
    }
    const late = () => fail(new DownloadFailed(`${new URL(url).host} does not answer`))
    let waiting = setTimeout(late, connectMs)
    sent.on('socket', (socket) => {
      const connected = () => {
        clearTimeout(waiting)
        waiting = setTimeout(late, silentMs)
      }
      // Through a proxy the socket comes when it is connected.
      if (agent) connected()
      else socket.once('connect', connected)
    })
    sent.on('error', fail)
    sent.on('response', (response) => {
      clearTimeout(waiting)
      resolve(response)
    })
    sent.end()
  })
}

async function take(
  answer: IncomingMessage,
  { size, progress, patience = usualPatience }: DownloadOrder,
  file: FileHandle,
): Promise<Downloaded> {
  const told = Number(answer.headers['content-length'] ?? Number.NaN)
  const all = size ?? (Number.isNaN(told) ? undefined : told)
  const most = size ?? largest
  if (told > most || (size !== undefined && told < size)) {
    throw new DownloadFailed(`it has ${told} bytes, and not ${most}`)
  }
  const hash = createHash('sha256')
  let bytes = 0
  let first = Buffer.alloc(0)
  const silent = () => answer.destroy(new DownloadFailed('it stopped in the middle'))
  let waiting = setTimeout(silent, patience.silentMs)
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      clearTimeout(waiting)
      bytes += part.length
      if (bytes > most) throw new DownloadFailed(`it has more than ${most} bytes`)
      if (first.length < beginning) first = Buffer.concat([first, part]).subarray(0, beginning)
      hash.update(part)
      await file.write(part)
      progress?.(bytes, all)
      waiting = setTimeout(silent, patience.silentMs)
    }
  } finally {
    clearTimeout(waiting)
    answer.destroy()
  }
  if (!answer.complete) throw new DownloadFailed('it stopped in the middle')
  return { bytes, sha256: hash.digest('hex'), first }
}

function check(found: Downloaded, { size, sha256 }: DownloadOrder): Downloaded {
  if (size !== undefined && found.bytes !== size) {
    throw new DownloadFailed(`it has ${found.bytes} bytes, and not ${size}`)
  }
  if (sha256 !== undefined && found.sha256 !== sha256.toLowerCase()) {
    throw new DownloadFailed(`its SHA-256 is ${found.sha256}, and not ${sha256}`)
  }
  return found
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
