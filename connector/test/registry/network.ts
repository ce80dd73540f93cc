/** A registry on a port of its own, connectors that find it over TLS, and pages that ask it. */
import { request } from 'node:http'
import { connect } from 'node:tls'
import { type Log, silentLog } from '../../../test/bed/log.ts'
import {
  createRegistryClient,
  type RegistryCertificate,
} from '../../src/api/registry-connection/registry-client.ts'
import {
  type ConnectionOptions,
  connectToRegistry,
  type RegistryConnection,
} from '../../src/api/registry-connection/registry-connection.ts'
import { type CertificateKeyPair, readCertificate } from '../../src/pki/certificate.ts'
import { makeLeaf } from '../../src/pki/x509.ts'
import { createAgentDirectory } from '../../src/registry/agent-directory.ts'
import { createRegistryAllowlist } from '../../src/registry/allowlist.ts'
import { createRegistryApp } from '../../src/registry/app.ts'
import { createPendingRequests } from '../../src/registry/pending-requests.ts'
import { systemClock } from '../../src/system/clock.ts'
import { protocolVersion } from '../../src/system/ipc/registry-messages.ts'
import type { PeerOwner } from '../../src/system/peer-owner.ts'
import { type HttpsServer, listenOn } from '../../src/system/server.ts'
import { makeTestRoot } from '../certs/test-root.ts'
import type { ConsentSetup } from '../consent/consent-setup.ts'

export async function createCertificate(): Promise<CertificateKeyPair> {
  const now = Date.now()
  const root = await makeTestRoot({ now, owner: 'test', constraints: 'full', hosts: [] })
  return makeLeaf(root, { now, hosts: [] })
}

export const toRegistryCertificate = (
  { cert }: CertificateKeyPair,
  scope: RegistryCertificate['scope'] = 'user',
): RegistryCertificate => ({
  scope,
  fingerprint: readCertificate(cert).fingerprint,
})

export interface RegistryOptions {
  readonly cors?: readonly string[]
  /** Whether it is the service of the machine. */
  readonly service?: boolean
  readonly log?: Log
  /** Whose the caller is; default: ours. */
  readonly owner?: () => PeerOwner
}

/** Throws when the port is taken. */
export function serveRegistry(
  port: number,
  certificate: CertificateKeyPair,
  {
    cors = [],
    service = false,
    log = silentLog,
    owner = () => ({ kind: 'ours', user: '1000' }),
  }: RegistryOptions = {},
): HttpsServer {
  const agents = createAgentDirectory(systemClock, 200)
  const app = createRegistryApp({
    version: '4.0.0',
    log,
    clock: Date.now,
    consentRequests: { perUser: 5, shared: 300 },
    names: () => new Set(['localhost', '127.0.0.1', '::1']),
    agents,
    pendingRequests: createPendingRequests(agents, systemClock, log),
    allowlist: createRegistryAllowlist({ origins: cors, forEveryone: service }, 200),
    ownerOf: async () => owner(),
    findUserName: async () => undefined,
  })
  const server = listenOn(port, [certificate], (incoming, connection) =>
    app.fetch(incoming, connection),
  )
  if (!server) throw new Error(`Cannot listen: port ${port} is taken`)
  return server
}

export interface ConnectionChoices {
  readonly apiPort?: number
  readonly allowlist?: () => readonly string[]
  readonly log?: Log
  readonly known?: readonly RegistryCertificate[]
  readonly spawn?: ConnectionOptions['spawn']
  readonly random?: () => number
}

/** The connector of a user, as far as the registry sees it. */
export function connectAgent(
  setup: Pick<ConsentSetup, 'consentService'>,
  port: number,
  certificate: CertificateKeyPair,
  choices: ConnectionChoices = {},
): RegistryConnection {
  const { apiPort = 25_100, allowlist = () => ['https://shop.example'], log = silentLog } = choices
  return connectToRegistry({
    client: createRegistryClient(
      port,
      async () => choices.known ?? [toRegistryCertificate(certificate)],
    ),
    registration: () => ({
      protocol: protocolVersion,
      agentId: setup.consentService.agentId,
      username: 'ada',
      hostname: 'desk-7',
      port: apiPort,
      pid: process.pid,
      pageKey: `key of ${setup.consentService.agentId}`,
      allowlist: [...allowlist()],
    }),
    handleRequest: setup.consentService.handleAgentRequest,
    isService: () => false,
    spawn:
      choices.spawn ??
      (() => {
        throw new Error('this test starts its registry itself')
      }),
    explain: async (sight) => ({ what: sight, todo: 'nothing' }),
    log,
    clock: systemClock,
    random: choices.random ?? Math.random,
  })
}

export interface PageRequest {
  readonly method?: string
  readonly body?: unknown
  readonly origin?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and assert what they find
  readonly json: any
}

/** Asks as a page of `https://shop.example`, over TLS that shows this certificate. */
export async function requestAsPage(
  port: number,
  certificate: CertificateKeyPair,
  path: string,
  { method, body, origin = 'https://shop.example', headers = {} }: PageRequest = {},
): Promise<PageResponse> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const socket = await connectPinned(port, certificate)
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
async function connectPinned(port: number, certificate: CertificateKeyPair) {
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
  if (shown !== toRegistryCertificate(certificate).fingerprint)
    throw new Error('It is not our registry')
  return socket
}
