/** The service as `npm run ds` runs it, in a folder of its own, with something to serve. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { administrator, createAdministrator } from '../../test/bed/administrator.ts'
import { root } from '../../test/bed/repository.ts'
import { createServiceClient } from '../../test/bed/service-request.ts'
import { start } from './child-process.ts'

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

const apiKey = crypto.randomUUID()

/** `folder`: gets the database, unless another is named; `packages`: holds the installer. */
export async function startService(
  folder: string,
  packages: string,
  database = join(folder, 'ds.sqlite'),
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const started = await startProcess(folder, packages, database, { DS_PORT: '0', ...settings })
  return { ...started, ...(await registerBenchData(started.url)) }
}

/** A service with nothing to serve, which has printed its address. */
export async function startProcess(
  folder: string,
  packages: string,
  database: string,
  settings: Readonly<Record<string, string>>,
): Promise<Pick<Service, 'url' | 'pid' | 'end'>> {
  await mkdir(folder)
  const child = start(folder, process.execPath, await readStartArguments(), {
    DS_DATABASE: database,
    DS_PACKAGES_DIR: packages,
    DS_ADMIN_PASSWORD: administrator.password,
    DS_TOKEN_LIMIT: '1000000',
    DS_REGISTRATION_LIMIT: '1000000',
    ...settings,
  })
  const url = await child.waitForOutput(/health +(http\S+)\/health/)
  return { url, pid: child.pid, end: child.end }
}

/** Registers something to serve at a service whose administrator has the password of these measurements. */
export async function registerBenchData(
  url: string,
): Promise<Pick<Service, 'apiKey' | 'token' | 'version'>> {
  const { admin, login } = createAdministrator(createServiceClient(url, 'x-forwarded-for'))
  const version = {
    id: '4.0.0',
    recommended: true,
    mandatory: false,
    allowed: true,
    uris: [{ os: 'UNIX', uri: `file:///${installer}` }],
  }
  await admin('PUT', '/v3/organizations', { name: 'bench' })
  await admin('PUT', '/v3/labels', { name: 'bench', orgId: 'bench', apiKey })
  await admin('PUT', '/v3/versions', version)
  return { apiKey, token: await login(), version }
}

/** What `npm run ds` gives to Node, so that its options count here too. */
export async function readStartArguments(): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { ds: string }
  }
  const [, ...args] = manifest.scripts.ds.split(' ')
  return args.map((arg) => (arg.startsWith('-') ? arg : join(root, arg)))
}
