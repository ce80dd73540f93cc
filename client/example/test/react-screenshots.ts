/** Pictures of the React example in each state, light and dark: a part of `npm run screenshots`. The test double is behind it. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import { readPictureOptions } from '../../../test/bed/picture-options.ts'
import { openShop } from '../../test/journeys/shop.ts'

const { language, tag, to } = readPictureOptions()
const example = fileURLToPath(new URL('../react', import.meta.url))
const action = '[data-cardwire-part="action"]'

interface Picture {
  /** The `data-cardwire` of the page. */
  readonly status: string
  readonly fail?: string
  readonly act?: (page: Page) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  { status: 'permission-needed', fail: 'permission-needed' },
  { status: 'not-running', fail: 'not-running' },
  { status: 'not-responding', fail: 'not-responding' },
  { status: 'token-unavailable', fail: 'token' },
  { status: 'failed', fail: 'origin-refused' },
  { status: 'consent-required' },
  {
    status: 'consent-pending',
    async act(page) {
      await page.locator('[data-cardwire="consent-required"]').waitFor()
      await page.evaluate('connector.fail("permission-pending", { operation: "requestConsent" })')
      await page.locator(action).click()
    },
  },
  { status: 'ready', act: (page) => page.locator(action).click() },
]

const shop = await openShop(() => 'unused', {
  html: join(example, 'page.html'),
  entry: join(example, 'scripted-main.tsx'),
  scriptPath: '/main.js',
})
const browser = await chromium.launch({
  executablePath: chromiumProgram,
  args: [...chromiumFlags],
})
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { status, fail, act } of pictures) {
      const context = await browser.newContext({
        ...{ colorScheme, locale: tag, ignoreHTTPSErrors: true },
        viewport: { width: 760, height: 320 },
        permissions: ['clipboard-write'],
      })
      const page = await context.newPage()
      const query = new URLSearchParams({ language, ...(fail && { fail }) })
      await page.goto(`https://localhost:${shop.port}/?${query}`)
      await act?.(page)
      await page.locator(`[data-cardwire="${status}"]`).waitFor()
      await page.screenshot({ path: join(to, `react-${status}-${colorScheme}.png`) })
      await context.close()
    }
  }
} finally {
  await browser.close()
  await shop.close()
}
