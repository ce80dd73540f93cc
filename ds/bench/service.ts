/** The service as `npm run ds` runs it, in a folder of its own, with something to serve. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { clientId, realm } from '@cardwire/client/protocol'
import { start } from './child.ts'

export interface Service {
  readonly url: string
  readonly pid: number
  /** The API key of a label. */
  readonly apiKey: string
  /** The bearer token of an administrator. */
  readonly token: string
  /** A version with an installer for UNIX: what is sent to change it. */
  readonly version: object
  end(): void
}

/** The file below `packages` that the installer is. */
export const installer = 'installer.bin'

export const password = 'a password for a moment'
const apiKey = crypto.randomUUID()

/** `folder`: gets the database; `packages`: holds the installer. */
export async function startService(folder: string, packages: string): Promise<Service> {
  await mkdir(folder)
  const child = start(folder, process.execPath, await startArguments(), {
    DS_PORT: '0',
    DS_DATABASE: join(folder, 'ds.sqlite'),
    DS_PACKAGES_DIR: packages,
    DS_ADMIN_PASSWORD: password,
    DS_TOKEN_LIMIT: '1000000',
  })
  const url = await child.said(/health +(http\S+)\/health/)
  return { url, pid: child.pid, end: child.end, ...(await prepare(url)) }
}

/** Registers something to serve at a service whose administrator has the password of these measurements. */
export async function prepare(url: string): Promise<Pick<Service, 'apiKey' | 'token' | 'version'>> {
  const token = await logIn(url)
  const version = {
    id: '4.0.0',
    recommended: true,
    mandatory: false,
    allowed: true,
    uris: [{ os: 'UNIX', uri: `file:///${installer}` }],
  }
  await put(`${url}/v3/organizations`, token, { name: 'bench' })
  await put(`${url}/v3/labels`, token, { name: 'bench', orgId: 'bench', apiKey })
  await put(`${url}/v3/versions`, token, version)
  return { apiKey, token, version }
}

/** What `npm run ds` gives to Node, so that its options count here too. */
export async function startArguments(): Promise<string[]> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { ds: string }
  }
  const [, ...args] = manifest.scripts.ds.split(' ')
  return args.map((arg) => (arg.startsWith('-') ? arg : join(root, arg)))
}

async function logIn(url: string): Promise<string> {
  const response = await fetch(`${url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: clientId,
      grant_type: 'password',
      username: 'admin',
      password,
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`Cannot log in: the service answered ${response.status}`)
  return token
}

async function put(url: string, token: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status !== 201) {
    throw new Error(`Cannot prepare ${url}: ${response.status} ${await response.text()}`)
  }
}
