/** `npm start` in folders of its own, as a test runs it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../test/bed/free-port.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

type Environment = Readonly<Record<string, string>>

export interface RunningExample {
  /** The address that was printed last: it opens the page in one browser. */
  readonly url: string
  /** The origin of the page. */
  readonly origin: string
  readonly child: ChildProcess
  readonly environment: Environment
  /** Everything it has written to the terminal. */
  output(): string
  /** Stops it as Ctrl-C does; resolves with its exit status. */
  stop(): Promise<number | null>
}

/** The environment of a user; all files are written below `folder`. */
export async function createExampleEnvironment(
  folder: string,
  settings: Environment,
): Promise<Environment> {
  const { PATH = '/usr/bin:/bin' } = process.env
  return {
    PATH,
    HOME: join(folder, 'home'),
    LANG: 'C.UTF-8',
    DS_PORT: String(await findFreePort()),
    DS_DATABASE: join(folder, 'data/cardwire.sqlite'),
    DS_PACKAGES_DIR: join(folder, 'data/packages'),
    EXAMPLE_DATA: join(folder, 'data/example'),
    EXAMPLE_PORT: String(await findFreePort()),
    EXAMPLE_READERS: 'virtual',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    CARDWIRE_API_PORTS: '26000-26999',
    ...settings,
  }
}

/** `args`: the options, as typed behind `npm start --`. */
export async function startExample(
  environment: Environment,
  ...args: readonly string[]
): Promise<RunningExample> {
  const child = spawn(process.execPath, ['client/example/start/main.ts', ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const findUrl = () => [...output.matchAll(/page +(http\S+)\n/g)].at(-1)?.[1] ?? ''
  await new Promise<void>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString()
      if (/page +http\S+\n.*Ctrl-C stops it/s.test(output)) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)))
  })
  return {
    get url() {
      return findUrl()
    },
    origin: new URL(findUrl()).origin,
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
export const runTrust = (environment: Environment, ...args: readonly string[]) =>
  runScript('trust', environment, args)

/** `npm run consents`, with what it printed. */
export const runConsents = (environment: Environment, ...args: readonly string[]) =>
  runScript('consents', environment, args)

/** `npm run sync`, with what it printed. */
export const runSync = (environment: Environment, ...args: readonly string[]) =>
  runScript('sync', environment, args)

function runScript(name: string, environment: Environment, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`client/example/start/${name}.ts`, ...args],
    { cwd: root, env: environment },
  )
  return { status, output: `${stdout}${stderr}` }
}
