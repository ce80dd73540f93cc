/** A user with `cardwire open`: a home, the command, and Chromium with its page. */
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { runAxe } from '../../../../test/bed/axe.ts'
import { chromiumFlags, headlessProgram, pageWaitMs } from '../../../../test/bed/chromium.ts'
import { createHome, runCommand } from '../../../../test/bed/connector.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import {
  createEnvironment,
  type Program,
  type Settings,
  startProgram,
} from '../../../../test/bed/program.ts'
import { connectorProgram } from '../../../../test/bed/repository.ts'

export interface UserWithPage {
  readonly home: string
  /** The environment of this user. */
  readonly settings: Settings
  /** Runs a command to its end. */
  run(...args: readonly string[]): ReturnType<typeof runCommand>
  /** Runs `cardwire open`; its address is good once. */
  open(...args: readonly string[]): Promise<OpenedAddress>
  /** Ends the connector, and everything else of this user. */
  close(): Promise<void>
}

export interface OpenedAddress {
  readonly program: Program
  /** With the ticket. */
  readonly address: string
  /** Without it. */
  readonly origin: string
  readonly ticket: string
}

export interface UserOptions {
  /** Before each command line. */
  readonly commandPrefix?: readonly string[]
  /** Of a connector that runs, and stays with whoever made it. */
  readonly home?: string
}

/** Settings are in the environment, which the connector that is started gets, too. */
export async function createUser(
  settings: Settings = {},
  { commandPrefix = [], home: given }: UserOptions = {},
): Promise<UserWithPage> {
  const home = given ?? (await createHome())
  const own = {
    CARDWIRE_API_PORTS: '25200-25999',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    CARDWIRE_MACHINE_DIR: join(home, 'machine'),
    ...settings,
  }
  const programs: Program[] = []
  const run = (...args: readonly string[]) => runCommand(home, args, own, commandPrefix)
  return {
    home,
    settings: own,
    run,
    async open(...args) {
      const command = [
        ...commandPrefix,
        connectorProgram,
        'open',
        '--no-browser',
        '--json',
        ...args,
      ]
      const program = startProgram(command, { env: createEnvironment(home, own) })
      programs.push(program)
      const [, address = ''] = await program.waitForOutput(/"address":"([^"]+)"/)
      const { origin, hash } = new URL(address)
      return { program, address, origin, ticket: hash.slice(1) }
    },
    async close() {
      for (const program of programs) await program.stop()
      if (given !== undefined) return
      run('stop')
      endProcesses(home)
      await rm(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Ends what still runs in this home: a connector that was only starting when it was told to stop did not hear it. */
function endProcesses(home: string): void {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (environment.includes(`HOME=${home}`)) process.kill(Number(pid))
    } catch {
      // It has ended by itself.
    }
  }
}

export interface PageInChromium {
  readonly page: Page
  /** What its console calls errors, among them what its policy refuses. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

export async function openInChromium(
  address: string,
  options: BrowserContextOptions = {},
): Promise<PageInChromium> {
  // The address of the page is http: the browser has to trust nothing.
  const browser = await chromium.launch({
    executablePath: headlessProgram,
    args: [...chromiumFlags],
  })
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  context.setDefaultTimeout(pageWaitMs)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(address)
  return { page, faults, close: () => browser.close() }
}

/** What axe-core finds wrong with the page as it is now. */
export async function findAccessibilityFaults(page: Page): Promise<readonly string[]> {
  // The policy of the page allows no script of another origin; playwright's own world does.
  const { violations } = await runAxe(page)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
