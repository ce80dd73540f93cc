/** Firefox on a display, by WebDriver BiDi, with its own protection of this machine at work. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import puppeteer, { type Frame as PuppeteerFrame } from 'puppeteer-core'
import { createProgramAs } from '../../../test/bed/accounts.ts'
import { trustRoots } from '../../../test/bed/certificates.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { type Frame, type OpenBrowser, textIn } from './browser.ts'

export const openFirefox: OpenBrowser = async (surroundings) => {
  const { home, settings, roots, publicPort, account } = surroundings
  const { program = '/usr/bin/firefox-esr' } = surroundings
  const userDataDir = join(home, 'firefox')
  await mkdir(userDataDir, { recursive: true })
  await trustRoots(userDataDir, roots)
  const executablePath = account ? await createProgramAs(account, program) : program
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: false,
    userDataDir,
    acceptInsecureCerts: false,
    defaultViewport: null,
    env: createEnvironment(home, settings),
    extraPrefsFirefox: {
      // Every name leads to this machine.
      'network.dns.native-is-localhost': true,
      'network.lna.address_space.public.override': `127.0.0.1:${publicPort}`,
    },
  })
  return {
    async open(address) {
      const page = await browser.newPage()
      await page.goto(address)
      return {
        ...frameOf(page.mainFrame()),
        async reload() {
          await page.reload()
        },
        async frame() {
          const element = await page.waitForSelector('iframe')
          const frame = await element?.contentFrame()
          if (!frame) throw new Error(`Cannot find a frame in ${address}`)
          await frame.waitForSelector('#state')
          return frameOf(frame)
        },
        close: () => page.close(),
      }
    },
    async permit(origin, answer) {
      await browser.defaultBrowserContext().setPermission(origin, {
        permission: { name: 'loopback-network' },
        state: answer,
      })
    },
    close: () => browser.close(),
  }
}

const frameOf = (frame: PuppeteerFrame): Frame => ({
  click: (selector) => frame.click(selector),
  read: (expression) => frame.evaluate(expression),
  text: (selector) => frame.evaluate(textIn(selector)),
})
