/** What a distribution service runs on: Node or Deno with a database file and a folder, or workerd with D1 and R2. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  createEnvironment,
  type Program,
  runProgram,
  type Settings,
  startProgram,
} from './program.ts'
import { root, toolPath } from './repository.ts'

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
  /** Puts a file where `file:///` addresses lie, in place of one that is there. */
  putPackage(key: string, file: Uint8Array): Promise<void>
}

const bundle = join(root, 'ds/dist/node.js')
const build = ['npm', 'run', '--silent', 'build', '-w', 'ds']

/** A program with the settings of a service on this machine. */
const createProgramRuntime =
  (command: readonly string[]): Runtime =>
  (folder, port) => {
    const packages = join(folder, 'packages')
    return {
      addressHeader: 'x-forwarded-for',
      // Behind another address it prints that one.
      ready: /API document +(?:(http:\S+)\/docs|https:)/,
      async start(settings) {
        if (!existsSync(bundle)) await runProgram(build, { cwd: root, env: process.env })
        await mkdir(packages, { recursive: true })
        const env = createEnvironment(folder, {
          DS_PORT: String(port),
          DS_DATABASE: join(folder, 'data/ds.sqlite'),
          DS_PACKAGES_DIR: packages,
          DS_TRUST_PROXY: '127.0.0.1',
          ...settings,
        })
        return startProgram(command, { cwd: root, env })
      },
      async putPackage(key, file) {
        await mkdir(dirname(join(packages, key)), { recursive: true })
        await writeFile(join(packages, key), file)
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

/** On Node; `prefix`: the start of the command line. */
export const createNodeRuntime = (...prefix: readonly string[]): Runtime =>
  createProgramRuntime([...prefix, toolPath('node'), bundle])

/** As `wrangler dev --local` starts it from wrangler.toml: real D1, R2 and rate limits. */
const workerdRuntime: Runtime = (folder, port) => {
  const persist = ['--local', '--persist-to', join(folder, 'data')]
  const secret = randomBytes(32).toString('base64')
  const options = {
    cwd: root,
    env: createEnvironment(folder, {
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_LOG_SANITIZE: 'false',
      CI: 'true',
    }),
  }
  const wrangler = async (...args: readonly string[]) => {
    const { status, out, err } = await runProgram(
      [toolPath('wrangler'), ...args, ...persist],
      options,
    )
    if (status !== 0) throw new Error(`wrangler ${args.join(' ')}: ${status}\n${out}${err}`)
  }
  let isMigrated = false
  return {
    addressHeader: 'cf-connecting-ip',
    ready: /Ready on http/,
    async start(settings) {
      if (!isMigrated) await wrangler('d1', 'migrations', 'apply', 'cardwire')
      isMigrated = true
      const variables = { DS_URL: `http://127.0.0.1:${port}`, DS_SECRET: secret, ...settings }
      const command = [
        ...[toolPath('wrangler'), 'dev', ...persist, '--ip', '127.0.0.1', '--port', String(port)],
        ...['--inspector-port', '0', '--log-level', 'log'],
        ...['--show-interactive-dev-session', 'false'],
        ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
      ]
      return startProgram(command, options)
    },
    async putPackage(key, file) {
      const path = join(folder, 'package')
      await writeFile(path, file)
      await wrangler('r2', 'object', 'put', `cardwire-packages/${key}`, '--file', path)
      await rm(path)
    },
  }
}

/** No more than docs/deploy.md gives it. */
const permissions = ['--allow-net', '--allow-read', '--allow-write', '--allow-env', '--allow-sys']

export const runtimes = {
  Node: createNodeRuntime(),
  Deno: createProgramRuntime([toolPath('deno'), 'run', ...permissions, 'ds/src/deno.ts']),
  workerd: workerdRuntime,
} as const
