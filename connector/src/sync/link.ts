/** The way to the distribution service: https with deadlines, the machine's proxy, and the roots that count here. */
import { readFileSync } from 'node:fs'
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { getCACertificates, rootCertificates } from 'node:tls'
import { getProxyForUrl } from 'proxy-from-env'
import { proxyFor, systemProxy } from '../system/proxy.ts'

/** Specification, Limits: milliseconds until there is a connection, and until there is an answer. */
export const deadlines = { connectMs: 10_000, overallMs: 15_000 } as const

/** More than any answer of a service but an installer. Bytes. */
const largestAnswer = 8 * 1024 * 1024

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Bytes of the answer; a longer one throws TooLarge. */
  readonly largest?: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A service that could not be asked, or that did not answer whole and in time. */
export class Unreachable extends Error {}

/** It answers, and with more than was asked for. */
export class TooLarge extends Unreachable {}

export type Link = (call: Call) => Promise<Answer>

export interface LinkOptions {
  /** A file of roots that count beside those of the system, PEM. */
  readonly caFile?: string | undefined
  readonly deadlines?: { readonly connectMs: number; readonly overallMs: number }
}

/** Every call throws Unreachable when there is no whole answer; a status is no failure. */
export function openLink({
  caFile,
  deadlines: { connectMs, overallMs } = deadlines,
}: LinkOptions): Link {
  return async ({ method, url, headers = {}, body, largest = largestAnswer }) => {
    const secure = new URL(url).protocol === 'https:'
    const ca = secure ? roots(caFile) : undefined
    const agent = await agentFor(url)
    return new Promise((resolve, reject) => {
      const sent = (secure ? httpsRequest : httpRequest)(url, {
        method,
        headers: { ...headers, ...(body && { 'content-length': body.length }) },
        agent,
        ...(ca && { ca }),
      })
      const fail = (error: Error) => {
        clearTimeout(connecting)
        clearTimeout(answering)
        sent.destroy()
        const text = `Cannot reach ${new URL(url).host}: ${error.message}`
        reject(error instanceof TooLarge ? error : new Unreachable(text))
      }
      const connecting = setTimeout(
        () => fail(new Error(`no connection in ${connectMs / 1000} s`)),
        connectMs,
      )
      const answering = setTimeout(
        () => fail(new Error(`no answer in ${overallMs / 1000} s`)),
        overallMs,
      )
      // `request({ timeout })` does not run while Bun connects; the events of the socket are real.
      sent.on('socket', (socket) => {
        for (const event of ['connect', 'secureConnect'])
          socket.once(event, () => clearTimeout(connecting))
      })
      sent.on('error', fail)
      sent.on('response', (response) => {
        clearTimeout(connecting)
        read(response, largest).then((bytes) => {
          clearTimeout(answering)
          resolve({ status: response.statusCode ?? 0, headers: flat(response), body: bytes })
        }, fail)
      })
      sent.end(body)
    })
  }
}

/**
 * By way of the proxy that the environment names, or else the system: read for every call, for machines travel. One
 * request in hours: nothing is kept open between them.
 */
export async function agentFor(url: string): Promise<Agent | false> {
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    /^(https?|all|no)_proxy$/i.test(name) && value ? [value] : [],
  )
  // Where they say anything they alone count, NO_PROXY too.
  const proxy =
    variables.length === 0
      ? proxyFor(url, await systemProxy())
      : spoken(getProxyForUrl(url), variables)
  if (proxy === '') return false
  const { HttpsProxyAgent } = await import('https-proxy-agent')
  return new HttpsProxyAgent(proxy)
}

/** A proxy without a scheme speaks http, as for every other program; the package says that of what is asked. */
function spoken(proxy: string, variables: readonly string[]): string {
  const [, bare = ''] = /^https:\/\/(.*)$/.exec(proxy) ?? []
  return variables.includes(bare) ? `http://${bare}` : proxy
}

/** Those that count, PEM. Read for every call: a file that was replaced counts at once. Throws Unreachable. */
export function roots(caFile: string | undefined): string[] {
  const known = [...new Set([...rootCertificates, ...getCACertificates('system')])]
  if (caFile === undefined) return known
  try {
    return [...known, readFileSync(caFile, 'utf8')]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Unreachable(`Cannot read the roots of CARDWIRE_CA_FILE: ${reason}`)
  }
}

async function read(response: IncomingMessage, largest: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response) {
    parts.push(part)
    size += part.length
    if (size > largest) throw new TooLarge(`The answer has more than ${largest} bytes`)
  }
  if (!response.complete) throw new Error('half an answer')
  return Buffer.concat(parts)
}

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
