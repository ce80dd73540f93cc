/** The compiled connector of one person, with a registry of its own, as a package installs it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { freePort } from './free-port.ts'
import { connectorProgram, environmentOf, type Program, type Settings, start } from './program.ts'

export interface Connector {
  readonly home: string
  /** As a page's configuration has it. */
  readonly registryPort: string
  /** Where the API listens now. */
  port(): number
  /** Of the process that `cardwire run` is. */
  pid(): number
  /** Its root certificate, PEM. */
  readonly root: string
  /** Puts a card with this ATR into the virtual reader, or takes it out. */
  insert(atr: string): Promise<void>
  remove(): Promise<void>
  /** Runs one of its commands to the end; gives what it says. */
  command(...args: string[]): Promise<string>
  start(under?: readonly string[]): Promise<void>
  stop(): Promise<void>
  /** Stops it and forgets everything. */
  close(): Promise<void>
}

const listening = /listening on port (\d+)/

/** Of whoever runs the tests, or of an account, which has to be able to start `program`. */
export async function startConnector(
  settings: Settings,
  {
    account,
    program: binary = connectorProgram,
  }: { readonly account?: Account; readonly program?: string } = {},
): Promise<Connector> {
  const home = account?.home ?? (await mkdtemp(join(tmpdir(), 'cardwire-journey-')))
  const registryPort = settings['CARDWIRE_REGISTRY_PORT'] ?? String(await freePort())
  const card = join(home, 'card')
  const all = {
    CARDWIRE_API_PORTS: '25200-25999',
    CARDWIRE_REGISTRY_PORT: registryPort,
    // Not the service that the machine may have.
    CARDWIRE_MACHINE_DIR: join(home, 'machine'),
    CARDWIRE_VIRTUAL_READER: card,
    ...settings,
  }
  let program: Program
  const begin = async (under: readonly string[] = []) => {
    program = await start([...under, binary, 'run'], /registry found/, {
      ...{ settings: all, home, account },
    })
  }
  try {
    await begin()
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw error
  }
  return {
    home,
    registryPort,
    port: () => Number(listening.exec(program.output())?.[1]),
    pid: () => program.child.pid ?? 0,
    root: await readFile(join(home, '.local/share/cardwire/certificates/rootCA.pem'), 'utf8'),
    insert: (atr) => writeFile(card, atr),
    remove: () => rm(card, { force: true }),
    async command(...args) {
      const env = { ...environmentOf(home), ...all }
      const run = promisify(execFile)(binary, args, { env })
      const { stdout } = await run.catch(({ stdout: said, stderr }) => {
        throw new Error(`cardwire ${args.join(' ')} failed:\n${said}${stderr}\n${program.output()}`)
      })
      return stdout
    },
    start: begin,
    stop: () => program.stop(),
    async close() {
      await program.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
