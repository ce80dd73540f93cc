/** The page of `cardwire open`, in both browsers: it works, and its address works once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runCommand } from '../../../test/bed/connector.ts'
import { startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { createEnvironment, startProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { connectorProgram } from '../../../test/bed/repository.ts'
import { browsersOf } from './user-session.ts'
import { becomes } from './wait.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

test.each(browsersOf('open'))(
  '%s shows it once, and the command ends when it is closed',
  async (_, openBrowser) => {
    proves('open-page')
    const home = await mkdtemp(join(tmpdir(), 'cardwire-open-'))
    closers.push(() => rm(home, { recursive: true, force: true, maxRetries: 10 }))
    const display = await startDisplay()
    closers.push(display.stop)
    const settings = {
      ...display.settings,
      CARDWIRE_API_PORTS: '25200-25999',
      CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
      CARDWIRE_MACHINE_DIR: join(home, 'machine'),
    }
    const command = [connectorProgram, 'open', '--no-browser']
    const program = startProgram(command, { env: createEnvironment(home, settings) })
    closers.push(() => runCommand(home, ['stop'], settings))
    closers.push(() => program.stop())
    const [address] = await program.waitForOutput(/http:\S+/)
    const browser = await openBrowser({
      ...{ home: join(home, 'browser'), settings: display.settings },
      ...{ roots: [], publicPort: await findFreePort() },
    })
    closers.push(() => browser.close())

    const tab = await browser.open(address)
    await becomes(() => tab.text('#state-title'), 'Cardwire is running')
    expect(await tab.read('document.cookie + location.hash')).toBe('')
    const again = await browser.open(address)
    const refused = 'This link has expired or was already used'
    await becomes(() => again.text('#notice-title'), refused)

    const ended = new Promise((resolve) => program.child.once('exit', resolve))
    await tab.close()
    expect(await ended).toBe(0)
  },
)
