/** Chromium on a display, without any flag that would make it trust more, or ask less. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Frame as PlaywrightFrame } from 'playwright-core'
import { createProgramAs } from '../../../test/bed/accounts.ts'
import { trustRoots } from '../../../test/bed/certificates.ts'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { type Frame, type OpenBrowser, textIn } from './browser.ts'

const flags = [
  ...chromiumFlags,
  // Names of the shop lead to this machine; nothing else is resolved.
  '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

export const openChromium: OpenBrowser = async (surroundings) => {
  const { home, settings, roots, publicPort, account, program = chromiumProgram } = surroundings
  const userData = join(home, 'chromium')
  await mkdir(userData, { recursive: true })
  await trustRoots(join(home, '.local/share/pki/nssdb'), roots)
  const executablePath = account ? await createProgramAs(account, program) : program
  const context = await chromium.launchPersistentContext(userData, {
    executablePath,
    headless: false,
    args: [...flags, `--ip-address-space-overrides=127.0.0.1:${publicPort}=public`],
    env: createEnvironment(home, settings),
    viewport: null,
  })
  const [first = await context.newPage()] = context.pages()
  // What is permitted over it is permitted as long as it is open.
  const session = await context.newCDPSession(first)
  return {
    async open(address) {
      const page = await context.newPage()
      await page.goto(address)
      return {
        ...frameOf(page.mainFrame()),
        async reload() {
          await page.reload()
        },
        async frame() {
          const element = await page.waitForSelector('iframe')
          const frame = await element.contentFrame()
          if (!frame) throw new Error(`Cannot find a frame in ${address}`)
          await frame.waitForLoadState()
          return frameOf(frame)
        },
        close: () => page.close(),
      }
    },
    async permit(origin, answer) {
      for (const name of ['local-network-access', 'loopback-network']) {
        const permission = { name }
        await session.send('Browser.setPermission', { origin, permission, setting: answer })
      }
    },
    close: () => context.close(),
  }
}

const frameOf = (frame: PlaywrightFrame): Frame => ({
  click: (selector) => frame.click(selector),
  read: (expression) => frame.evaluate(expression),
  text: (selector) => frame.evaluate(textIn(selector)),
})
