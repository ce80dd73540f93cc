/** Somebody in front of a screen of their own, with a browser, a keyboard and a clipboard. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import axe from 'axe-core'
import { chromium, type Page } from 'playwright-core'

export interface Person {
  /** Everything of theirs. */
  readonly folder: string
  /** As the variable DISPLAY wants it. */
  readonly display: string
  /** Starts the browser, at an address; faults are what its console complains of. */
  open(address: string, how?: How): Promise<Opened>
  leave(): Promise<void>
}

export interface How {
  readonly colours?: 'light' | 'dark'
  readonly flags?: readonly string[]
}

export interface Opened {
  readonly page: Page
  readonly faults: readonly string[]
  close(): Promise<void>
}

// What Chromium needs to run as root, and without calling anybody.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
  '--hide-scrollbars',
]

export async function newPerson(): Promise<Person> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-example-'))
  const home = join(folder, 'home')
  await mkdir(home)
  const { server, display } = await startDisplay()
  return {
    folder,
    display,
    async open(address, { colours = 'light', flags: more = [] } = {}) {
      const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
        executablePath: '/usr/bin/chromium',
        // Headless, it would have a clipboard of its own.
        headless: false,
        args: [...flags, ...more],
        colorScheme: colours,
        viewport: { width: 1000, height: 900 },
        env: {
          PATH: process.env['PATH'] ?? '/usr/bin:/bin',
          HOME: home,
          DISPLAY: display,
          DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        },
      })
      context.setDefaultTimeout(10_000)
      const page = await context.newPage()
      const faults: string[] = []
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(address)
      return { page, faults, close: () => context.close() }
    },
    async leave() {
      const ended = once(server, 'exit')
      server.kill()
      await ended
      // Chromium's helpers write until they have ended, a moment after it.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

async function startDisplay(): Promise<{ server: ChildProcess; display: string }> {
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1200x1000x24', '-nolisten', 'tcp', '-noreset'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const told = server.stdio[3]
  if (!told) throw new Error('Cannot hear of the display')
  const [part] = await once(told, 'data')
  return { server, display: `:${String(part).trim()}` }
}

/** What axe-core finds wrong with the page as it is now: rules with the elements that break them. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
