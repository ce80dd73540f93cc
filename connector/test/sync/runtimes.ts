/** What a distribution service of the tests runs on: Node with a database file and a folder, or workerd with D1 and R2. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const tool = (name: string) => join(root, 'node_modules/.bin', name)
const bundle = join(root, 'ds/dist/node.js')

type Settings = Readonly<Record<string, string>>

/** A service on a port, with its files in a folder; what it knows lies in `data` there. */
export type Runtime = (folder: string, port: number) => Service

interface Service {
  /** Starts it over what it knew before, and waits until it listens; nothing when it runs. */
  start(settings: Settings): Promise<void>
  /** Ends it, and leaves its files. */
  end(): Promise<void>
  /** Puts a file where `file:///` addresses lie, in place of one that is there. */
  place(key: string, file: Uint8Array): Promise<void>
}

/** As the file that `npm run ds` starts. */
const onNode: Runtime = (folder, port) => {
  if (!existsSync(bundle)) {
    execFileSync('npm', ['run', '--silent', 'build', '-w', 'ds'], { cwd: root, stdio: 'ignore' })
  }
  const packages = join(folder, 'packages')
  let child: ChildProcess | undefined
  return {
    async start(settings) {
      if (isRunning(child)) return
      child = await started([tool('node'), bundle], /API document/, {
        DS_PORT: String(port),
        DS_DATABASE: join(folder, 'data/ds.sqlite'),
        DS_PACKAGES_DIR: packages,
        ...settings,
      })
    },
    end: () => end(child),
    async place(key, file) {
      await mkdir(dirname(join(packages, key)), { recursive: true })
      await writeFile(join(packages, key), file)
    },
  }
}

/** As `wrangler dev --local` starts it from wrangler.toml: real D1, R2 and rate limits. */
const onWorkerd: Runtime = (folder, port) => {
  const persist = ['--local', '--persist-to', join(folder, 'data')]
  const environment = { HOME: folder, WRANGLER_SEND_METRICS: 'false', CI: 'true' }
  const secret = randomBytes(32).toString('base64')
  let child: ChildProcess | undefined
  const wrangler = (...args: readonly string[]) =>
    promisify(execFile)(tool('wrangler'), [...args, ...persist], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', ...environment },
    })
  return {
    async start(settings) {
      if (isRunning(child)) return
      if (child === undefined) await wrangler('d1', 'migrations', 'apply', 'cardwire')
      const variables = { DS_URL: `http://127.0.0.1:${port}`, DS_SECRET: secret, ...settings }
      child = await started(
        [
          ...[tool('wrangler'), 'dev', ...persist, '--ip', '127.0.0.1', '--port', String(port)],
          ...['--inspector-port', '0', '--log-level', 'log'],
          ...['--show-interactive-dev-session', 'false'],
          ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
        ],
        /Ready on http/,
        environment,
      )
    },
    end: () => end(child),
    async place(key, file) {
      const path = join(folder, 'placed')
      await writeFile(path, file)
      await wrangler('r2', 'object', 'put', `cardwire-packages/${key}`, '--file', path)
      await rm(path)
    },
  }
}

export const runtimes = { Node: onNode, workerd: onWorkerd } as const

/** Starts a program, and waits until it says `ready`. Rejects with its words when it ends before. */
async function started(
  command: readonly string[],
  ready: RegExp,
  settings: Settings,
): Promise<ChildProcess> {
  // setpriv(1) has it end with this process, however that ends.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', ...command], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it starts ends with it.
    detached: true,
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        output += part.toString()
        if (ready.test(output)) resolve()
      })
    }
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`It ended before it listened:\n${output}`)))
  })
  return child
}

const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
  child !== undefined && child.exitCode === null && child.signalCode === null

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!isRunning(child) || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
