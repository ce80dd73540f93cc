/** A registry on a port of its own, connectors that find it over TLS, and pages that ask it. */
import { request } from 'node:http'
import { createServer } from 'node:net'
import { connect } from 'node:tls'
import { type Link, type LinkOptions, linkToRegistry } from '../../src/agent/link.ts'
import { openLine, type Pin } from '../../src/agent/pinned.ts'
import { protocolNumber } from '../../src/agent/protocol.ts'
import { type Pair, readCertificate } from '../../src/pki/certificate.ts'
import { makeLeaf, makeRoot } from '../../src/pki/x509.ts'
import { systemClock } from '../../src/readers/clock.ts'
import { createAllowlist } from '../../src/registry/allowlist.ts'
import { createRegistry } from '../../src/registry/app.ts'
import { createDirectory } from '../../src/registry/directory.ts'
import { createInquiries } from '../../src/registry/inquiries.ts'
import type { Log } from '../../src/system/log.ts'
import type { Owner } from '../../src/system/owner.ts'
import { type HttpsServer, listenOn } from '../../src/system/server.ts'
import type { Person } from '../consent/person.ts'

const quiet = () => undefined
export const quietLog: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet }

export async function newCertificate(): Promise<Pair> {
  const now = Date.now()
  const root = await makeRoot({ now, owner: 'test', constraints: 'full', hosts: [] })
  return makeLeaf(root, { now, hosts: [] })
}

export const pinOf = ({ cert }: Pair, whose: Pin['whose'] = 'user'): Pin => ({
  whose,
  fingerprint: readCertificate(cert).fingerprint,
})

/** A port below those that systems take by themselves; free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 5000)
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}

export interface RegistryOptions {
  readonly cors?: readonly string[]
  readonly log?: Log
  /** Whose the caller is; default: ours. */
  readonly owner?: () => Owner
}

/** Throws when the port is taken. */
export function serveRegistry(
  port: number,
  certificate: Pair,
  {
    cors = [],
    log = quietLog,
    owner = () => ({ kind: 'ours', user: '1000' }),
  }: RegistryOptions = {},
): HttpsServer {
  const directory = createDirectory(systemClock)
  const app = createRegistry({
    version: '4.0.0',
    hostName: 'desk-7',
    log,
    now: Date.now,
    names: () => new Set(['localhost', '127.0.0.1', '::1']),
    directory,
    inquiries: createInquiries(directory, systemClock, log),
    allowlist: createAllowlist(cors),
    ownerOf: async () => owner(),
    nameOf: async () => undefined,
  })
  const server = listenOn(port, [certificate], (asked, connection) => app.fetch(asked, connection))
  if (!server) throw new Error(`Cannot listen: port ${port} is taken`)
  return server
}

export interface LinkChoices {
  readonly apiPort?: number
  readonly allowlist?: () => readonly string[]
  readonly log?: Log
  readonly pins?: readonly Pin[]
  readonly start?: LinkOptions['start']
  readonly random?: () => number
}

/** The connector of a person, as far as the registry sees it. */
export function linkPerson(
  person: Pick<Person, 'desk'>,
  port: number,
  certificate: Pair,
  choices: LinkChoices = {},
): Link {
  const { apiPort = 25_100, allowlist = () => ['https://shop.example'], log = quietLog } = choices
  return linkToRegistry({
    line: openLine(port, async () => choices.pins ?? [pinOf(certificate)]),
    registration: () => ({
      protocol: protocolNumber,
      agentId: person.desk.agentId,
      username: 'ada',
      hostname: 'desk-7',
      port: apiPort,
      pid: process.pid,
      pageKey: `key of ${person.desk.agentId}`,
      allowlist: [...allowlist()],
    }),
    answer: person.desk.answerQuestion,
    isService: () => false,
    start:
      choices.start ??
      (() => {
        throw new Error('this test starts its registry itself')
      }),
    explain: async (sight) => ({ what: sight, todo: 'nothing' }),
    log,
    clock: systemClock,
    random: choices.random ?? Math.random,
  })
}

export interface Asked {
  readonly method?: string
  readonly body?: unknown
  readonly origin?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and assert what they find
  readonly json: any
}

/** Asks as a page of `https://shop.example`, over TLS that shows this certificate. */
export async function askPage(
  port: number,
  certificate: Pair,
  path: string,
  { method, body, origin = 'https://shop.example', headers = {} }: Asked = {},
): Promise<Answered> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const socket = await pinned(port, certificate)
  return new Promise((resolve, reject) => {
    const sent = request({
      host: 'localhost',
      path,
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: {
        'x-csrf-token': 't1c-js',
        ...(origin !== null && { origin }),
        ...(text !== undefined && {
          'content-type': 'application/json;charset=UTF-8',
          'content-length': String(Buffer.byteLength(text)),
        }),
        ...headers,
      },
      createConnection: () => socket,
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      let answer = ''
      response.on('data', (part) => {
        answer += String(part)
      })
      response.once('error', reject)
      response.once('end', () => {
        socket.destroy()
        const { statusCode = 0, headers: given } = response
        resolve({ status: statusCode, headers: given, json: answer && JSON.parse(answer) })
      })
    })
    sent.end(text)
  })
}

/** Bun's client cannot verify the chain (it refuses name constraints of addresses): the certificate is compared. */
async function pinned(port: number, certificate: Pair) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: 'localhost',
    rejectUnauthorized: false,
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
  })
  const shown = socket.getPeerCertificate().fingerprint256.replaceAll(':', '').toLowerCase()
  if (shown !== pinOf(certificate).fingerprint) throw new Error('It is not our registry')
  return socket
}
