/** A user gives the page a folder in the windows of the connector, keeps notes there, and takes it back: from the page, and by command. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import {
  type BrowserSession,
  findAccessibilityFaults,
  giveConsent,
  type OpenedPage,
  openBrowserSession,
  pressByKeyboard,
} from './browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runConsents,
  runTrust,
  startExample,
} from './example-start.ts'
import { createFolderWindows, type FolderWindows } from './folder-windows.ts'

let user: BrowserSession
let example: RunningExample
let opened: OpenedPage
let page: Page
let windows: FolderWindows
let folder: string
beforeAll(async () => {
  user = await openBrowserSession()
  folder = join(user.folder, 'home/Documents')
  await mkdir(join(folder, 'older'), { recursive: true })
  await writeFile(join(folder, 'invoice.pdf'), '%PDF-')
  const environment = await createExampleEnvironment(user.folder, { ...user.display.settings })
  example = await startExample(environment)
  windows = createFolderWindows(user.display, example.origin)
  runTrust(environment)
  opened = await user.open(example.url)
  ;({ page } = opened)
  await giveConsent(page)
  await button('Choose a folder').waitFor()
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await user?.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const listFiles = () => page.locator('#file-list li').allTextContents()
const focused = () => page.evaluate('document.activeElement.id')
const waitForText = (text: string) =>
  page.locator('#file-message').filter({ hasText: text }).waitFor()

test('a user gives the page a folder by keyboard alone, and the page lists what is in it', async () => {
  proves('example-files')
  await pressByKeyboard(page, 'Choose a folder')
  await waitForText('a separate window')
  await windows.choose()
  await waitForText(`can read and write files in ${folder}.`)
  expect(await listFiles()).toEqual(['invoice.pdf', 'older, a folder'])
  expect(await focused()).toBe('folder-title')
  expect(await findAccessibilityFaults(page)).toEqual([])
})

test('a user saves a note, reads it, and is told that nothing is replaced', async () => {
  proves('example-files')
  await page.getByLabel('Note').fill('Two tickets, “please”: 2 × 8 €')
  await page.getByLabel('File name').press('Enter')
  await waitForText('note.txt is saved.')
  expect(await readFile(join(folder, 'note.txt'), 'utf8')).toBe('Two tickets, “please”: 2 × 8 €')
  expect(await listFiles()).toEqual(['invoice.pdf', 'Read note.txt', 'older, a folder'])

  await button('Read note.txt').press('Enter')
  await waitForText('note.txt contains: Two tickets, “please”: 2 × 8 €')
  await page.getByLabel('Note').fill('Another one')
  await button('Save the note').press('Enter')
  await waitForText('A file with this name already exists.')
  expect(await readFile(join(folder, 'note.txt'), 'utf8')).toContain('Two tickets')
  expect(await findAccessibilityFaults(page)).toEqual([])
})

test('the page has the folder when it is loaded again, without a question', async () => {
  await page.reload()
  await button('Read note.txt').waitFor()
})

test('a folder that is taken back by command is gone, and the page offers to choose one', async () => {
  proves('example-files')
  const { status, output } = runConsents(
    example.environment,
    ...['revoke', '--folders', example.origin],
  )
  expect([status, output]).toEqual([0, expect.stringContaining('can no longer use your folders')])
  await button('Save the note').press('Enter')
  await waitForText('This site doesn’t have access to this folder.')
  expect(await button('Choose a folder').isVisible()).toBe(true)
  expect(await focused()).toBe('folder-title')
  expect(await listFiles()).toEqual([])
})

test('a user gives it again and takes it back on the page: the files stay', async () => {
  proves('example-files')
  await button('Choose a folder').press('Enter')
  await windows.choose()
  await button('Stop using this folder').press('Enter')
  await waitForText('Your files are still there.')
  expect(await focused()).toBe('folder-title')
  expect(await readdir(folder)).toContain('note.txt')
  expect(runConsents(example.environment).output).not.toContain(folder)
})

test('a user who closes the window has given nothing, and is not asked again at once', async () => {
  proves('example-files')
  for (const act of [windows.cancel, async () => undefined]) {
    const answered = page.waitForResponse(/create-type$/)
    await button('Choose a folder').press('Enter')
    await act()
    expect((await answered).status()).toBe(403)
    await waitForText('You didn’t choose a folder for this site.')
  }
  expect(await page.locator('#folder').isVisible()).toBe(false)
  // Browsers name each refused request in the console.
  expect(opened.faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([])
})
