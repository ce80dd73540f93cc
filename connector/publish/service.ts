/** The distribution service, as an administrator who publishes uses it. */
import { createReadStream } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import {
  type ClientProof,
  clientId,
  clientTokenPath,
  createClientGrant,
  createJobTokenRequest,
  type VersionInput,
} from '@cardwire/protocol'
import * as z from 'zod'
import { PublishError } from './options.ts'
import type { PublishedFile } from './package-files.ts'
import { type Reply, readReply, readText } from './read-reply.ts'

/** Gives an access token; a new one where the one before is about to expire. */
export type GetToken = () => Promise<string>

/** Gets the bytes that were sent so far. */
export type OnProgress = (sent: number) => void

const Stored = z.object({ data: z.object({ sha256: z.string() }) })
const Known = z.object({ data: z.object({ sha256: z.string(), usedBy: z.string().optional() }) })
const Uri = z.object({
  os: z.string(),
  uri: z.string(),
  sha256: z.string().optional(),
  size: z.number().optional(),
})
const Registered = z.object({
  data: z.object({
    id: z.string(),
    recommended: z.boolean(),
    mandatory: z.boolean(),
    allowed: z.boolean(),
    uris: z.array(Uri),
    installationApiKey: z.string().optional(),
  }),
})
export type KnownFile = z.output<typeof Known>['data']
export type RegisteredVersion = z.output<typeof Registered>['data']
const Listed = z.object({ data: z.object({ items: z.array(z.object({ id: z.string() })) }) })
const Counted = z.object({ data: z.object({ total: z.number() }) })
const Reached = z.object({ data: z.object({ reach: z.number(), withoutAllowlist: z.number() }) })
export type Reach = z.output<typeof Reached>['data']
/** As a header takes it: an error of a header that is refused would show it (RFC 6750 §2.1). */
export const BearerToken = z.string().regex(/^[\w.~+/-]+=*$/)
const Token = z.object({ access_token: BearerToken, expires_in: z.number() })

const JobToken = z.object({ value: BearerToken })

/** How long before its end a token is not used any more, in milliseconds. */
const minLeftMs = 60_000

/** Milliseconds that a service may take to answer, or to take more of a file. */
const maxSilenceMs = 60_000

/** Throws a PublishError with the reason when there is no response, or a redirect, which would take the password elsewhere. */
async function reach(url: string, init: RequestInit, silenceMs: number): Promise<Reply> {
  const { origin } = new URL(url)
  try {
    const signal = AbortSignal.timeout(silenceMs)
    const { status, headers, body } = await fetch(url, { ...init, signal, redirect: 'manual' })
    requireNoRedirect(url, status, headers.get('location'))
    return { status, text: await readText(origin, body) }
  } catch (error) {
    if (error instanceof PublishError) throw error
    if ((error as Error).name === 'TimeoutError') throw createSilenceError(origin, silenceMs)
    const { cause } = error as Error
    const reason = cause instanceof Error ? cause.message || String(cause) : String(error)
    throw new PublishError(`Cannot reach ${origin}: ${reason}`)
  }
}

const createSilenceError = (origin: string, silenceMs: number): PublishError =>
  new PublishError(`Cannot use ${origin}: it has not responded for ${silenceMs / 1000} s`)

function requireNoRedirect(url: string | URL, status: number, location: string | null): void {
  if (status < 300 || status >= 400) return
  const { origin } = new URL(url)
  const target = URL.canParse(location ?? '', url) ? new URL(location ?? '', url).origin : origin
  throw new PublishError(
    target === origin
      ? `Cannot use ${origin}: it responded with a redirect (${status})`
      : `Cannot use ${origin}: it redirects to ${target}; if that is your service, give its URL to --ds`,
  )
}

/** Logs in with a password, whenever a token is needed. */
export const createLogin = (
  ds: string,
  user: string,
  password: string,
  silenceMs = maxSilenceMs,
): GetToken =>
  createTokenSource(
    `${ds}/auth/realms/cardwire/protocol/openid-connect/token`,
    `sign in as "${user}"`,
    async () => ({ client_id: clientId, grant_type: 'password', username: user, password }),
    silenceMs,
  )

/** Gets tokens as an API client; what proves that it is one is asked for each time. */
export const createClientLogin = (
  ds: string,
  client: string,
  prove: () => Promise<ClientProof>,
  silenceMs = maxSilenceMs,
): GetToken =>
  createTokenSource(
    ds + clientTokenPath,
    `get access as the API client "${client}"`,
    async () => createClientGrant(client, await prove()),
    silenceMs,
  )

/** Returns a function that gets a token with this form whenever the one before is about to expire. */
function createTokenSource(
  url: string,
  act: string,
  createForm: () => Promise<Record<string, string>>,
  silenceMs: number,
): GetToken {
  let session = { token: '', until: 0 }
  return async () => {
    if (Date.now() < session.until - minLeftMs) return session.token
    const init = { method: 'POST', body: new URLSearchParams(await createForm()) }
    const reply = await reach(url, init, silenceMs)
    const { access_token: token, expires_in: seconds } = readReply(reply, Token, act)
    session = { token, until: Date.now() + seconds * 1000 }
    return token
  }
}

/** The token of a job of GitHub Actions for this service; undefined elsewhere. */
export async function readJobToken(
  environment: NodeJS.ProcessEnv,
  ds: string,
  silenceMs = maxSilenceMs,
): Promise<string | undefined> {
  const request = createJobTokenRequest(environment, ds)
  if (!request) return undefined
  const reply = await reach(request.url, { headers: request.headers }, silenceMs)
  return readReply(reply, JobToken, 'get a token of this job').value
}

export function createService(ds: string, getToken: GetToken, silenceMs = maxSilenceMs) {
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${await getToken()}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const json = body !== undefined && { body: JSON.stringify(body) }
    return reach(ds + path, { method, headers, ...json }, silenceMs)
  }
  return {
    /** The SHA-256 of a file that is there, hex, and the version that uses it. */
    async findFile(name: string): Promise<KnownFile | undefined> {
      const reply = await ask('GET', `/v3/installers/${encodeURIComponent(name)}`)
      if (reply.status === 404) return undefined
      return readReply(reply, Known, `look for "${name}"`).data
    },
    async findVersion(id: string): Promise<RegisteredVersion | undefined> {
      const reply = await ask('GET', `/v3/versions/${encodeURIComponent(id)}`)
      if (reply.status === 404) return undefined
      return readReply(reply, Registered, `look for version ${id}`).data
    },
    /** The version before, whose configurations a new one can have. */
    async findLatest(): Promise<string | undefined> {
      const reply = await ask('GET', '/v3/versions?size=1')
      return readReply(reply, Listed, 'list the versions').data.items[0]?.id
    },
    async hasAllowlist(version: string): Promise<boolean> {
      const query = new URLSearchParams({ versionId: version, type: 'CONTEXT_CONFIG', size: '1' })
      const reply = await ask('GET', `/v3/configurations?${query}`)
      return readReply(reply, Counted, `look for the allowlist of ${version}`).data.total > 0
    },
    /** The devices that registering it affects. `changed`: the systems whose installer is another now; `copyFrom` as below. */
    async countAffected(
      { id, recommended, mandatory, allowed, uris }: VersionInput,
      changed: readonly string[],
      copyFrom: string | undefined,
    ): Promise<Reach> {
      const list = (systems: readonly string[]) => systems.join(',') || 'none'
      const query = new URLSearchParams({
        ...{ recommended: `${recommended}`, mandatory: `${mandatory}`, allowed: `${allowed}` },
        ...{ installers: list(uris.map(({ os }) => os)), otherInstallers: list(changed) },
        ...(copyFrom !== undefined && { copyFrom }),
      })
      const reply = await ask('GET', `/v3/versions/${encodeURIComponent(id)}/reach?${query}`)
      return readReply(reply, Reached, `count the devices that version ${id} affects`).data
    },
    /** `copyFrom`: the version whose configurations it gets; refused when it affects more devices than `maxReach`. */
    async register(
      version: VersionInput,
      copyFrom: string | undefined,
      maxReach: number,
    ): Promise<RegisteredVersion> {
      const query = new URLSearchParams({
        maxReach: String(maxReach),
        ...(copyFrom !== undefined && { copyFrom }),
      })
      const reply = await ask('PUT', `/v3/versions?${query}`, version)
      return readReply(reply, Registered, `register version ${version.id}`).data
    },
    /** A manifest is refused when it affects more devices than `maxReach`. */
    async upload(file: PublishedFile, maxReach: number, onProgress: OnProgress): Promise<void> {
      const url = new URL(`${ds}/v3/installers/${encodeURIComponent(file.name)}`)
      if (file.system === undefined) url.searchParams.set('maxReach', String(maxReach))
      const reply = await uploadFile(url, file, await getToken(), { onProgress, silenceMs })
      readReply(reply, Stored, `upload "${file.name}"`)
    },
  }
}

export type Service = ReturnType<typeof createService>

/** With the length of the file, which `fetch` does not send for a stream. */
function uploadFile(
  url: URL,
  { content, size, sha256 }: PublishedFile,
  token: string,
  { onProgress, silenceMs }: { readonly onProgress: OnProgress; readonly silenceMs: number },
): Promise<Reply> {
  const digest = Buffer.from(sha256, 'hex').toString('base64')
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
      'content-length': size,
      'content-digest': `sha-256=:${digest}:`,
    },
  })
  const file =
    'path' in content ? createReadStream(content.path) : Readable.from([Buffer.from(content.text)])
  let sent = 0
  file.on('data', (part: Buffer | string) => {
    sent += part.length
    onProgress(sent)
  })
  return new Promise((resolve, reject) => {
    request.once('response', (response) => {
      readText(url.origin, response).then(
        (body) => resolve({ status: response.statusCode ?? 0, text: body }),
        reject,
      )
    })
    request.setTimeout(silenceMs, () => request.destroy(createSilenceError(url.origin, silenceMs)))
    // An answer that came before the end of the body is worth more than the end of the connection.
    request.once('error', (error) => setImmediate(reject, error))
    file.once('error', reject)
    file.pipe(request)
  })
}
