/** The real distribution service, on Node unless a test says otherwise, and its administrator. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Runtime, runtimes } from './runtimes.ts'

const password = 'the-first-administrators-password'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and assert what they find
type Json = any

export interface DistributionService {
  readonly url: string
  readonly folder: string
  /** As the administrator; the data of the answer. Throws when it is refused. */
  admin(method: string, path: string, body?: Json): Promise<Json>
  /** The same for what is no JSON. */
  download(path: string): Promise<Uint8Array>
  /** An application token for a label that is made for it, as a back end gets one. */
  applicationToken(): Promise<string>
  /** Puts the allowlist of a version in place of the one it has. */
  allow(version: string, cors: readonly string[]): Promise<void>
  /** Ends the process and leaves its files. */
  pause(): Promise<void>
  /** Starts it on the same port and files, with more settings; nothing when it runs. */
  resume(settings?: Readonly<Record<string, string>>): Promise<void>
  /** Puts a file where `file:///` addresses lie, in place of one that is there. */
  place(key: string, file: Uint8Array): Promise<void>
  /** Its files as they are now, for a day when they are needed. */
  backUp(): Promise<string>
  restore(backup: string): Promise<void>
  stop(): Promise<void>
}

export async function startDistributionService(
  settings: Readonly<Record<string, string>> = {},
  runtime: Runtime = runtimes.Node,
): Promise<DistributionService> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { start, end: pause, place } = runtime(folder, port)
  let session: { readonly token: string; readonly until: number } | undefined

  const resume = (more: Readonly<Record<string, string>> = {}) =>
    start({ DS_ADMIN_PASSWORD: password, ...settings, ...more })

  async function login(): Promise<string> {
    if (session && session.until > Date.now()) return session.token
    const response = await fetch(`${url}/auth/realms/cardwire/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: 'cardwire',
        grant_type: 'password',
        username: 'admin',
        password,
      }),
    })
    const { access_token: token }: Json = await response.json()
    session = { token, until: Date.now() + 150_000 }
    return token
  }

  async function ask(method: string, path: string, body?: Json): Promise<Response> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await login()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.ok) return response
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  }

  async function admin(method: string, path: string, body?: Json): Promise<Json> {
    const response = await ask(method, path, body)
    const text = await response.text()
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text).data : text
  }

  await resume()
  let labels = 0
  return {
    url,
    folder,
    admin,
    download: async (path) => new Uint8Array(await (await ask('GET', path)).arrayBuffer()),
    async applicationToken() {
      labels += 1
      const { id: orgId } = await admin('PUT', '/v3/organizations', { name: `Org ${labels}` })
      const { apiKey } = await admin('PUT', '/v3/labels', { name: `Label ${labels}`, orgId })
      const response = await fetch(`${url}/v3/tokens/application`, { headers: { apikey: apiKey } })
      const { data }: Json = await response.json()
      return data
    },
    async allow(versionId, cors) {
      const { items } = await admin('GET', '/v3/configurations?size=100')
      const held = items.find(
        (one: Json) => one.versionId === versionId && one.type === 'CONTEXT_CONFIG',
      )
      const change = { type: 'CONTEXT_CONFIG', versionId, config: { cors } }
      await admin('PUT', '/v3/configurations', { ...change, ...(held && { id: held.id }) })
    },
    pause,
    resume,
    place,
    async backUp() {
      await pause()
      const backup = await mkdtemp(join(tmpdir(), 'cardwire-ds-backup-'))
      await cp(join(folder, 'data'), backup, { recursive: true })
      await resume()
      return backup
    },
    async restore(backup) {
      await pause()
      await rm(join(folder, 'data'), { recursive: true, force: true })
      await cp(backup, join(folder, 'data'), { recursive: true })
      await rm(backup, { recursive: true, force: true })
      session = undefined
      await resume()
    },
    async stop() {
      await pause()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The version of the tests' connector: registered, allowed, and nothing newer. */
export const registerVersion = (service: DistributionService, id: string, more: Json = {}) =>
  service.admin('PUT', '/v3/versions', {
    ...{ id, recommended: false, mandatory: false, allowed: true },
    uris: [{ os: 'UNIX', uri: `https://downloads.example/cardwire-${id}.deb` }],
    ...more,
  })

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
