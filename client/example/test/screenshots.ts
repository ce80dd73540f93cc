/** Pictures of the page's states, light and dark, into docs/screenshots: `npm run screenshots`. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from './example-start.ts'
import { type BrowserSession, openBrowserSession } from './person.ts'

const size = { width: 760, height: 480 }
const folder = fileURLToPath(new URL('../../../docs/screenshots', import.meta.url))
await mkdir(folder, { recursive: true })

for (const colors of ['light', 'dark'] as const) {
  const person = await openBrowserSession()
  const environment = await createExampleEnvironment(person.folder, { ...person.display.settings })
  const example = await startExample(environment)
  try {
    await picturesOf(person, example, colors, () => runTrust(environment))
  } finally {
    await example.stop()
    await person.close()
  }
}

async function picturesOf(
  person: BrowserSession,
  example: RunningExample,
  colors: 'light' | 'dark',
  trustIt: () => unknown,
): Promise<void> {
  const picture = (page: Page, state: string) =>
    page.screenshot({
      path: join(folder, `${state}-${colors}.png`),
      animations: 'disabled',
      fullPage: true,
    })
  const button = (page: Page, name: string) => page.getByRole('button', { name })

  const stranger = await person.open(example.url, { colors })
  await stranger.page.setViewportSize(size)
  await button(stranger.page, 'Look again').waitFor()
  await picture(stranger.page, 'not-there')
  await stranger.page.route('**/token', (route) => route.abort())
  await button(stranger.page, 'Look again').click()
  await button(stranger.page, 'Try again').waitFor()
  await picture(stranger.page, 'trouble')
  await stranger.close()

  trustIt()
  const { page, close } = await person.open(example.url, { colors })
  await page.setViewportSize(size)
  await button(page, 'Copy the code').waitFor()
  await picture(page, 'consent')
  await button(page, 'Copy the code').click()
  await button(page, 'Insert the virtual card').waitFor()
  await picture(page, 'reader')
  await button(page, 'Insert the virtual card').click()
  await button(page, 'Remove the virtual card').waitFor()
  await picture(page, 'card')
  await close()
}
