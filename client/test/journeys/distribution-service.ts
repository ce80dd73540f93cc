/** The real distribution service, on Node or on workerd, and its administrator. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { environmentOf, type Program, root, serviceProgram, start, tool } from './program.ts'

const password = 'the-first-administrators-password'

/** What it answers is looked into where it is used. */
type Answer = Readonly<Record<string, unknown>>

export interface DistributionService {
  readonly url: string
  /** A version of the connector, with the key that its installer carries. */
  register(version: string): Promise<string>
  /** The allowlist of a version, in place of the one it has. */
  allow(version: string, cors: readonly string[]): Promise<void>
  /** The API key of a new label. */
  newLabel(): Promise<string>
  /** Ends the process and leaves its files. */
  pause(): Promise<void>
  stop(): Promise<void>
}

export type Runtime = (folder: string, port: number) => Promise<Program>

const onNode: Runtime = (folder, port) =>
  start([tool('node'), serviceProgram], /API document/, {
    cwd: root,
    settings: {
      DS_PORT: String(port),
      DS_DATABASE: join(folder, 'ds.sqlite'),
      DS_PACKAGES_DIR: join(folder, 'packages'),
      DS_ADMIN_PASSWORD: password,
    },
  })

/** As `wrangler dev --local` starts it from wrangler.toml. */
const onWorkerd: Runtime = async (folder, port) => {
  const quiet = { WRANGLER_SEND_METRICS: 'false', CI: 'true' }
  const persist = ['--local', '--persist-to', join(folder, 'state')]
  await promisify(execFile)(
    tool('wrangler'),
    ['d1', 'migrations', 'apply', 'cardwire', ...persist],
    { cwd: root, env: { ...environmentOf(folder), ...quiet } },
  )
  const variables = {
    DS_URL: `http://127.0.0.1:${port}`,
    DS_SECRET: randomBytes(32).toString('base64'),
    DS_ADMIN_PASSWORD: password,
  }
  return start(
    [
      ...[tool('wrangler'), 'dev', ...persist, '--ip', '127.0.0.1', '--port', String(port)],
      ...['--inspector-port', '0', '--log-level', 'log'],
      ...['--show-interactive-dev-session', 'false'],
      ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    ],
    /Ready on http/,
    { cwd: root, home: folder, settings: quiet },
  )
}

export const runtimes = { Node: onNode, workerd: onWorkerd } as const

export async function startService(runtime: Runtime): Promise<DistributionService> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-ds-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = await runtime(folder, port)
  const token = await login(url)

  async function put(path: string, body: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`PUT ${path}: ${response.status} ${text}`)
    return JSON.parse(text).data
  }

  let configuration: Answer = {}
  return {
    url,
    async register(id) {
      const { installationApiKey } = await put('/v3/versions', {
        ...{ id, recommended: false, mandatory: false, allowed: true },
        uris: [{ os: 'UNIX', uri: `https://downloads.example/cardwire-${id}.deb` }],
      })
      return String(installationApiKey)
    },
    async allow(versionId, cors) {
      const change = { type: 'CONTEXT_CONFIG', versionId, config: { cors } }
      const { id } = configuration
      configuration = await put('/v3/configurations', {
        ...change,
        ...(id !== undefined && { id }),
      })
    },
    async newLabel() {
      const { id: orgId } = await put('/v3/organizations', { name: 'Shop' })
      const { apiKey } = await put('/v3/labels', { name: 'Shop', orgId })
      return String(apiKey)
    },
    pause: () => program.stop(),
    async stop() {
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function login(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/realms/cardwire/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ client_id: 'cardwire', grant_type: 'password', username: 'admin', password },
    }),
  })
  const { access_token: token } = JSON.parse(await response.text())
  return String(token)
}
