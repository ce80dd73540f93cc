/** The compiled connector in a home of its own, as a user runs it. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Account } from './accounts.ts'
import { findFreePort } from './free-port.ts'
import { type HttpsRequestOptions, type HttpsResponse, requestHttps } from './https-client.ts'
import { createEnvironment, type Settings, startProgram } from './program.ts'
import { connectorProgram } from './repository.ts'
import { makeShared } from './shared-folder.ts'

export interface Connector {
  readonly port: number
  readonly home: string
  readonly child: ChildProcess
  /** The management token. */
  readonly token: string
  /** The root certificate, PEM. */
  readonly ca: string
  output(): string
  /** Resolves as soon as its output matches. */
  waitForOutput(pattern: RegExp): Promise<unknown>
  request(path: string, options?: HttpsRequestOptions): Promise<HttpsResponse>
  stop(): Promise<void>
}

export interface ConnectorOptions {
  readonly role?: 'run' | 'api'
  /** The account that runs it; it has to be able to start `program`. */
  readonly account?: Account | undefined
  readonly program?: string
  /** The start of the command line, before the program. */
  readonly commandPrefix?: readonly string[]
}

export const homePaths = (home: string, { XDG_STATE_HOME, XDG_DATA_HOME }: Settings = {}) => ({
  runtime: join(XDG_STATE_HOME ?? join(home, '.local/state'), 'cardwire/runtime'),
  logs: join(XDG_STATE_HOME ?? join(home, '.local/state'), 'cardwire/logs'),
  certificates: join(XDG_DATA_HOME ?? join(home, '.local/share'), 'cardwire/certificates'),
  config: join(home, '.config/cardwire'),
})

/** A home for the first start of a connector. */
export const createEmptyHome = () => mkdtemp(join(tmpdir(), 'cardwire-home-'))

/** A home with certificates that the binary has made, once for a run. */
export async function createHome(): Promise<string> {
  const shared = await makeShared('connector-certificates', async (folder) => {
    const first = await createEmptyHome()
    const connector = await startConnector({}, first)
    await connector.stop()
    await cp(homePaths(first).certificates, join(folder, 'certificates'), { recursive: true })
    await rm(first, { recursive: true, force: true })
  })
  const home = await createEmptyHome()
  const { certificates } = homePaths(home)
  await mkdir(dirname(certificates), { recursive: true, mode: 0o700 })
  await cp(join(shared, 'certificates'), certificates, { recursive: true })
  return home
}

/** Runs a command of the binary to its end, away from a registry service that the machine may have. */
export function runCommand(
  home: string,
  args: readonly string[],
  settings: Settings = {},
  commandPrefix: readonly string[] = [],
) {
  const machine = { CARDWIRE_MACHINE_DIR: join(home, 'machine') }
  const env = createEnvironment(home, { ...machine, ...settings })
  const options = { env, encoding: 'utf8', timeout: 60_000 } as const
  const [program = '', ...all] = [...commandPrefix, connectorProgram, ...args]
  const { status, stdout, stderr } = spawnSync(program, all, options)
  return { status, out: stdout, err: stderr }
}

/** Starts `cardwire run`, or another role, and waits until it listens. A home that is not given goes with it. */
export async function startConnector(
  settings: Settings = {},
  givenHome?: string,
  { role = 'run', account, program = connectorProgram, commandPrefix = [] }: ConnectorOptions = {},
): Promise<Connector> {
  const home = givenHome ?? (await createHome())
  const started = startProgram([...commandPrefix, program, role], {
    account,
    env: createEnvironment(home, {
      CARDWIRE_API_PORTS: '25200-25999',
      // Neither the port nor the service that the machine may have.
      CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
      CARDWIRE_MACHINE_DIR: join(home, 'machine'),
      ...settings,
    }),
  })
  const [, port] = await started.waitForOutput(/listening on port (\d+)/)
  const paths = homePaths(home, settings)
  const token = await readFile(join(paths.runtime, 'management-token'), 'utf8')
  // None where the keystore of a service stands alone.
  const ca = await readFile(join(paths.certificates, 'rootCA.pem'), 'utf8').catch(() => '')
  return {
    port: Number(port),
    home,
    child: started.child,
    token,
    ca,
    output: started.output,
    waitForOutput: started.waitForOutput,
    request: (path, options) => requestHttps(Number(port), ca, path, { token, ...options }),
    async stop() {
      // faketime(1), for one, does not hand on the signal that ends it.
      await (commandPrefix.length > 0 ? started.stopGroup() : started.stop())
      if (givenHome === undefined) await rm(home, { recursive: true, force: true })
    },
  }
}
