/** The example without a desktop, as over ssh: no clipboard is read, and both the terminal and the page report it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from './example-start.ts'
import {
  type BrowserSession,
  findAccessibilityFaults,
  type OpenedPage,
  openBrowserSession,
} from './person.ts'

let person: BrowserSession
let example: RunningExample
let opened: OpenedPage
beforeAll(async () => {
  person = await openBrowserSession()
  example = await startExample(await createExampleEnvironment(person.folder, {}))
  runTrust(example.environment)
  opened = await person.open(example.url)
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await person?.close()
})

test('npm start reports that nobody can give consent without a desktop, and what to do', () => {
  expect(example.output()).toMatch(/Nobody can give consent: neither DISPLAY nor WAYLAND/)
  expect(example.output()).toContain('desktop session in which the browser runs')
})

test('the page reports a code that was found on no clipboard beside the next one, and announces it to screen readers', async () => {
  const { page } = opened
  const copy = page.getByRole('button', { name: 'Copy the code and go on' })
  const code = page.locator('[data-text="word"]')
  await copy.waitFor()
  const words = new Set([await code.textContent()])
  // The library has another reason from the third time on.
  for (let times = 1; times <= 3; times += 1) {
    await copy.press('Enter')
    await expect.poll(() => code.textContent(), { timeout: 20_000 }).not.toBe([...words].at(-1))
    words.add(await code.textContent())
    expect(await page.getByRole('alert').textContent()).toBe(
      'Cardwire did not find the code on your clipboard. Does it run in the same desktop session as this browser?',
    )
  }
  expect(words.size).toBe(4)
  expect(await findAccessibilityFaults(page)).toEqual([])
})
