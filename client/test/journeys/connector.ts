/** The compiled connector of one user, with a registry of its own, as a package installs it. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../../../test/bed/accounts.ts'
import {
  createHome,
  type Connector as RunningConnector,
  runCommand,
  startConnector as startBinary,
} from '../../../test/bed/connector.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import type { Settings } from '../../../test/bed/program.ts'

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
  /** Runs one of its commands to the end. Throws when it fails. */
  command(...args: string[]): Promise<void>
  start(commandPrefix?: readonly string[]): Promise<void>
  stop(): Promise<void>
  /** Stops it and forgets everything. */
  close(): Promise<void>
}

/** Of whoever runs the tests, or of an account, which has to be able to start `program`. */
export async function startConnector(
  settings: Settings,
  { account, program }: { readonly account?: Account; readonly program?: string } = {},
): Promise<Connector> {
  const home = account?.home ?? (await createHome())
  const registryPort = settings['CARDWIRE_REGISTRY_PORT'] ?? String(await findFreePort())
  const card = join(home, 'card')
  const all = { CARDWIRE_REGISTRY_PORT: registryPort, CARDWIRE_VIRTUAL_READER: card, ...settings }
  let running: RunningConnector
  const start = async (commandPrefix: readonly string[] = []) => {
    running = await startBinary(all, home, { account, commandPrefix, ...(program && { program }) })
    await running.waitForOutput(/registry found/)
  }
  try {
    await start()
  } catch (error) {
    await rm(home, { recursive: true, force: true })
    throw error
  }
  return {
    home,
    registryPort,
    port: () => running.port,
    pid: () => running.child.pid ?? 0,
    get root() {
      return running.ca
    },
    insert: (atr) => writeFile(card, atr),
    remove: () => rm(card, { force: true }),
    async command(...args) {
      const { status, out, err } = runCommand(home, args, all)
      const failure = `cardwire ${args.join(' ')} failed:\n${out}${err}\n${running.output()}`
      if (status !== 0) throw new Error(failure)
    },
    start,
    stop: () => running.stop(),
    async close() {
      await running.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
