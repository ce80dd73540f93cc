/** Started where no desktop is, as over ssh: nobody's clipboard is seen, and both the terminal and the page say so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Demonstration, environmentIn, startDemonstration, trust } from './demonstration.ts'
import { accessibilityFaults, newPerson, type Opened, type Person } from './person.ts'

let person: Person
let demonstration: Demonstration
let opened: Opened
beforeAll(async () => {
  person = await newPerson()
  demonstration = await startDemonstration(await environmentIn(person.folder, {}))
  trust(demonstration.environment)
  opened = await person.open(demonstration.url)
})
afterAll(async () => {
  await opened?.close()
  await demonstration?.stop()
  await person?.leave()
})

test('npm start says that nobody can give consent without a desktop, and what to do', () => {
  expect(demonstration.output()).toMatch(/Nobody can give consent: neither DISPLAY nor WAYLAND/)
  expect(demonstration.output()).toContain('desktop session in which the browser runs')
})

test('a code that is found on no clipboard is said to be so beside the next one, and read out', async () => {
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
  expect(await accessibilityFaults(page)).toEqual([])
})
