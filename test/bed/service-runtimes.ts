/** What a distribution service runs on: Node or Deno with a database file and a folder, or workerd with D1 and R2. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { administrator } from './administrator.ts'
import { administratorsCommand } from './administrators-command.ts'
import type { BucketServer } from './bucket.ts'
import { findFreePort } from './free-port.ts'
import {
  createEnvironment,
  type Program,
  runProgram,
  type Settings,
  startProgram,
} from './program.ts'
import { root, toolPath } from './repository.ts'
import { makeShared } from './shared-folder.ts'

/** A service with its files in a folder; its data is in `data` there. */
export type Runtime = (folder: string, port: number) => ServiceProgram

export interface ServiceProgram {
  /** The header with the client address. */
  readonly addressHeader: string
  /** Starts it with the data of earlier starts. */
  start(settings: Settings): Promise<Program>
  /** What it prints as soon as it listens; the first group is its address, where it prints one. */
  readonly ready: RegExp
  /** Where its data is, where that is no file in its folder. Known when it was started. */
  readonly database?: () => string
  /** Puts a file where the `file:///` addresses of installers or keystores lie, in place of one that is there. */
  putFile(kind: FileKind, key: string, file: Uint8Array): Promise<void>
}

/** The folder, or the end of the name of the bucket. */
export type FileKind = 'packages' | 'keystores'

const bundle = join(root, 'ds/dist/node.js')
const build = ['npm', 'run', '--silent', 'build', '-w', 'ds']

/** What a first start is asked to make: with one of these, it makes something else. */
const settingsOfData = ['DS_DATABASE', 'DS_SECRET', 'DS_TOKEN_ALG', 'DS_ADMIN_USER']

const isUsual = (settings: Settings): boolean =>
  settings['DS_ADMIN_PASSWORD'] === administrator.password &&
  settingsOfData.every((name) => settings[name] === undefined)

/**
 * The database after a first start, and its secret: a copy saves half of what a start costs. Services with copies have
 * the same keys.
 */
const makeFirstData = () =>
  makeShared('service-data', async (folder) => {
    const service = createNodeRuntime({ isFirst: true })(folder, await findFreePort())
    const program = await service.start({ DS_ADMIN_PASSWORD: administrator.password })
    await program.waitForOutput(service.ready)
    await program.stopGroup()
  })

interface ProgramOptions {
  /** Whether it makes its own keys when it is started for the first time. */
  readonly isFirst?: boolean
  /** More of its environment. */
  readonly makeSettings?: () => Promise<Settings>
}

/** A program with the settings of a service on this machine. */
const createProgramRuntime =
  (command: readonly string[], { isFirst = true, makeSettings }: ProgramOptions = {}): Runtime =>
  (folder, port) => {
    const packages = join(folder, 'packages')
    const data = join(folder, 'data')
    return {
      addressHeader: 'x-forwarded-for',
      // Behind another address it prints that one.
      ready: /API document +(?:(http:\S+)\/docs|https:)/,
      async start(settings) {
        if (!existsSync(bundle)) await runProgram(build, { cwd: root, env: process.env })
        await mkdir(packages, { recursive: true })
        if (!isFirst && isUsual(settings) && !existsSync(data))
          await cp(join(await makeFirstData(), 'data'), data, { recursive: true })
        const env = createEnvironment(folder, {
          DS_PORT: String(port),
          DS_DATABASE: join(data, 'ds.sqlite'),
          DS_PACKAGES_DIR: packages,
          DS_KEYSTORES_DIR: join(folder, 'keystores'),
          DS_TRUST_PROXY: '127.0.0.1',
          ...(await makeSettings?.()),
          ...settings,
        })
        return startProgram(command, { cwd: root, env })
      },
      async putFile(kind, key, file) {
        const path = join(folder, kind, key)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, file)
      },
    }
  }

/** The same with a database of its own, which `createDatabase` resolves with the address of. */
export const createPostgresRuntime =
  (createDatabase: () => Promise<string>, runtime: Runtime = createNodeRuntime()): Runtime =>
  (folder, port) => {
    const secret = randomBytes(32).toString('base64')
    let database: Promise<string> | undefined
    let address = ''
    const service = runtime(folder, port)
    return {
      ...service,
      database: () => address,
      async start(settings) {
        database ??= createDatabase()
        address = await database
        return service.start({ DS_DATABASE: address, DS_SECRET: secret, ...settings })
      },
    }
  }

/** The same with its files in a separate bucket. */
export const createBucketRuntime =
  (server: () => BucketServer, runtime: Runtime = createNodeRuntime()): Runtime =>
  (folder, port) => {
    let bucket: Promise<string> | undefined
    const service = runtime(folder, port)
    return {
      ...service,
      async start(settings) {
        bucket ??= server().createBucket()
        return service.start({ ...server().toSettings(await bucket), ...settings })
      },
      async putFile(kind, key, file) {
        const path = `${await bucket}/ds/${kind}/${key.split('/').map(encodeURIComponent).join('/')}`
        const { status } = await server().request('PUT', path, file)
        if (status !== 200) throw new Error(`Cannot put "${key}" into the bucket: ${status}`)
      },
    }
  }

/** On Node; `prefix`: the start of the command line. */
export const createNodeRuntime = ({
  prefix = [],
  ...options
}: ProgramOptions & { readonly prefix?: readonly string[] } = {}): Runtime =>
  createProgramRuntime([...prefix, toolPath('node'), bundle], options)

type Wrangler = (...args: readonly string[]) => Promise<void>

/** The database of a Worker. */
interface WorkerDatabase {
  /** The file of its bindings. */
  readonly config: string
  /** Creates the tables, those of D1 in `data`; resolves with what `wrangler dev` has to find in its environment. */
  prepare(wrangler: Wrangler, data: string, secret: string): Promise<Settings>
  readonly address?: () => string
}

/** The migrations of a run are applied once; each service has a copy. */
const createD1 = (config = 'wrangler.toml'): WorkerDatabase => ({
  config,
  async prepare(wrangler, data) {
    const migrated = await makeShared('d1', (draft) =>
      wrangler('d1', 'migrations', 'apply', 'cardwire', '--persist-to', draft),
    )
    await cp(migrated, data, { recursive: true })
    return {}
  },
})

const getBucket = (kind: FileKind) => `cardwire-${kind}`

/**
 * Puts an object into a bucket of a running `wrangler dev`, through the API of its explorer: a separate command
 * would take two seconds for each.
 */
async function putObject(
  port: number,
  bucket: string,
  key: string,
  body: Uint8Array,
): Promise<void> {
  const path = `/cdn-cgi/local/explorer/api/r2/buckets/${bucket}/objects/${encodeURIComponent(key)}`
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'PUT', body })
  if (!response.ok) throw new Error(`${key}: ${response.status} ${await response.text()}`)
}

/** As `wrangler dev --local` starts it: real R2 and rate limits, and a database. */
const createWorkerdRuntime =
  (createDatabase: () => WorkerDatabase): Runtime =>
  (folder, port) => {
    const { config, prepare, address } = createDatabase()
    const data = join(folder, 'data')
    const persist = ['--persist-to', data]
    const secret = randomBytes(32).toString('base64')
    const environment = {
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_LOG_SANITIZE: 'false',
      CI: 'true',
    }
    const wrangler: Wrangler = async (...args) => {
      const command = [toolPath('wrangler'), ...args, '--local']
      const env = createEnvironment(folder, environment)
      const { status, out, err } = await runProgram(command, { cwd: root, env })
      if (status !== 0) throw new Error(`wrangler ${args.join(' ')}: ${status}\n${out}${err}`)
    }
    let prepared: Promise<Settings> | undefined
    let program: Program | undefined
    return {
      addressHeader: 'cf-connecting-ip',
      ready: /Ready on http/,
      ...(address && { database: address }),
      async start(settings) {
        prepared ??= prepare(wrangler, data, secret)
        const env = createEnvironment(folder, { ...environment, ...(await prepared) })
        const variables = { DS_URL: `http://127.0.0.1:${port}`, DS_SECRET: secret, ...settings }
        const command = [
          ...[toolPath('wrangler'), 'dev', '--config', config, '--local', ...persist],
          ...['--ip', '127.0.0.1'],
          ...['--port', String(port), '--inspector-port', '0', '--log-level', 'log'],
          ...['--show-interactive-dev-session', 'false'],
          ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
        ]
        program = await startProgram(command, { cwd: root, env })
        return program
      },
      async putFile(kind, key, file) {
        const bucket = getBucket(kind)
        if (program?.isRunning()) return putObject(port, bucket, key, file)
        const path = join(folder, 'package')
        await writeFile(path, file)
        await wrangler('r2', 'object', 'put', `${bucket}/${key}`, '--file', path, ...persist)
        await rm(path)
      },
    }
  }

/** The Worker with a PostgreSQL database of its own; where Hyperdrive would be, `wrangler dev` passes on its connections. */
export const createHyperdriveRuntime = (createDatabase: () => Promise<string>): Runtime =>
  createWorkerdRuntime(() => {
    let address = ''
    return {
      config: 'ds/wrangler.postgres.toml',
      address: () => address,
      async prepare(_wrangler, _data, secret) {
        address = await createDatabase()
        const command = [...administratorsCommand, 'list']
        const env = { ...process.env, DS_DATABASE: address, DS_SECRET: secret }
        const { status, err } = await runProgram(command, { cwd: root, env })
        if (status !== 0) throw new Error(`${command.join(' ')}: ${status}\n${err}`)
        return { CLOUDFLARE_HYPERDRIVE_LOCAL_CONNECTION_STRING_DATABASE: address }
      },
    }
  })

/** The Worker with the bindings of another file. */
export const createBoundWorkerRuntime = (config: string): Runtime =>
  createWorkerdRuntime(() => createD1(config))

/** No more than docs/deploy.md gives it. */
const permissions = ['--allow-net', '--allow-read', '--allow-write', '--allow-env', '--allow-sys']

export const runtimes = {
  Node: createNodeRuntime({ isFirst: false }),
  Deno: createProgramRuntime([toolPath('deno'), 'run', ...permissions, 'ds/src/deno.ts'], {
    // What Deno has made of the sources, for all starts of a run.
    makeSettings: async () => ({ DENO_DIR: await makeShared('deno', () => undefined) }),
  }),
  workerd: createWorkerdRuntime(createD1),
} as const
