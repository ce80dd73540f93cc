/** A CA on a loopback port that answers about revocation as a test says, and certificates that name it. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  createRevocationChecker,
  type RevocationCheckerOptions,
  type RevocationResult,
} from '@cardwire/server'
import { type Holder, type HolderOptions, makeHolder, userExtensions } from './authority.ts'
import { type Entry, type ResponseOptions, respond } from './revocation-authority.ts'

/** Answers one request; undefined: it ends the response itself, or never. */
export type Handler = (body: Buffer, response: ServerResponse) => Promise<Uint8Array | undefined>

export interface CheckOptions extends Partial<RevocationCheckerOptions> {
  readonly at?: number
  readonly stapled?: readonly Uint8Array[]
}

export const authorityExtensions = [
  'basicConstraints=critical,CA:TRUE',
  'keyUsage=critical,keyCertSign,cRLSign',
]
export const responderExtensions = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,digitalSignature',
  'extendedKeyUsage=OCSPSigning',
]
export const day = 86_400_000

export interface RevocationServer {
  readonly base: string
  readonly root: Holder
  /** Another CA with the same name. */
  readonly other: Holder
  /** The paths that were requested since the last check began. */
  readonly requests: readonly string[]
  /** Lines of certificates. */
  ocspAt(path: string): string
  listAt(path: string): string
  makeUser(extensions: readonly string[], options?: HolderOptions): Promise<Holder>
  makeResponder(extensions: readonly string[], options?: HolderOptions): Promise<Holder>
  /** openssl's responder. */
  ocsp(entries: () => readonly Entry[], options?: () => Partial<ResponseOptions>): Handler
  serve(routes: Readonly<Record<string, Handler>>): void
  /** Checks a path with a new checker, while the server answers so. */
  check(
    path: readonly Holder[],
    routes: Readonly<Record<string, Handler>>,
    options?: CheckOptions,
  ): Promise<RevocationResult>
  close(): void
}

export async function startRevocationServer(): Promise<RevocationServer> {
  let routes: Readonly<Record<string, Handler>> = {}
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const answer = async () => {
      const body = await routes[path]?.(await buffer(request), response)
      if (body) response.end(body)
      else if (!routes[path]) response.writeHead(404).end()
    }
    answer().catch((error) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const authority = { subject: '/CN=Root', extensions: authorityExtensions }
  const [root, other] = await Promise.all([makeHolder(authority), makeHolder(authority)])
  const serve: RevocationServer['serve'] = (next) => {
    routes = next
    requests.length = 0
  }
  return {
    ...{ base, root, other, requests, serve },
    ocspAt: (path) => `authorityInfoAccess=OCSP;URI:${base}${path}`,
    listAt: (path) => `crlDistributionPoints=URI:${base}${path}`,
    makeUser: (extensions, options = {}) =>
      makeHolder({
        ...{ subject: '/CN=An Vermeer', issuer: root },
        extensions: [...userExtensions, ...extensions],
        ...options,
      }),
    makeResponder: (extensions, options = {}) =>
      makeHolder({ subject: '/CN=Responder', issuer: root, extensions, ...options }),
    ocsp: (entries, options) => (request) =>
      respond(request, { issuer: root, entries: entries(), ...options?.() }),
    check(path, next, { at = Date.now(), stapled, ...options } = {}) {
      serve(next)
      const ders = path.map(({ der }) => der)
      return makeChecker(options).check(ders, new Date(at), stapled)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const makeChecker = (options: Partial<RevocationCheckerOptions> = {}) =>
  createRevocationChecker({
    ...{ onUnknown: 'refuse', allowPrivateAddresses: true, timeoutMs: 20_000 },
    ...options,
  })

export const revoked = (holder: Holder): Entry => ({
  holder,
  revoked: '260102030405Z,keyCompromise',
})
export const valid = (holder: Holder): Entry => ({ holder })

/** Its status with the source, or with why there is none. */
export const summarize = ({ status, source, cause }: RevocationResult): string =>
  [status, source ?? cause?.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')].join(' ')
