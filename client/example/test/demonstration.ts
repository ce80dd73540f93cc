/** `npm start` in folders of its own, as a test runs it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

type Environment = Readonly<Record<string, string>>

export interface Demonstration {
  /** Where the page is. */
  readonly url: string
  readonly child: ChildProcess
  readonly environment: Environment
  /** Everything it has written to the terminal. */
  output(): string
  /** As Ctrl-C; answers with its exit status. */
  stop(): Promise<number | null>
}

/** What a person's machine says; `folder` is everything that is written. */
export async function environmentIn(folder: string, settings: Environment): Promise<Environment> {
  const { PATH = '/usr/bin:/bin' } = process.env
  return {
    PATH,
    HOME: join(folder, 'home'),
    LANG: 'C.UTF-8',
    DS_PORT: String(await freePort()),
    DS_DATABASE: join(folder, 'data/cardwire.sqlite'),
    DS_PACKAGES_DIR: join(folder, 'data/packages'),
    EXAMPLE_DATA: join(folder, 'data/example'),
    EXAMPLE_PORT: String(await freePort()),
    EXAMPLE_READERS: 'virtual',
    CARDWIRE_REGISTRY_PORT: String(await freePort()),
    CARDWIRE_API_PORTS: '26000-26999',
    ...settings,
  }
}

export async function startDemonstration(environment: Environment): Promise<Demonstration> {
  const child = spawn(process.execPath, ['client/example/start/main.ts'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString()
      const [, found] = /page +(http\S+).*Ctrl-C stops it/s.exec(output) ?? []
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)))
  })
  return {
    url,
    child,
    environment,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
      return child.exitCode
    },
  }
}

/** `npm run trust`, with what it printed. */
export const trust = (environment: Environment, ...args: readonly string[]) =>
  command('trust', environment, args)

/** `npm run consents`, with what it printed. */
export const consents = (environment: Environment, ...args: readonly string[]) =>
  command('consents', environment, args)

function command(name: string, environment: Environment, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`client/example/start/${name}.ts`, ...args],
    { cwd: root, env: environment },
  )
  return { status, output: `${stdout}${stderr}` }
}

/** Below those that systems take by themselves; free a moment ago. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 5000)
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}
