/** Dialogs of Linux as a user meets them: zenity and kdialog under Xvfb, answered by keys, and a browser that notes its link. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitFor } from '../../../test/bed/wait-for.ts'
import type { Message } from '../../src/system/desktop/desktop.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { makeBrowser } from './browser.ts'
import { only, without } from './path.ts'
import { type Session, startX11 } from './session.ts'

const url = 'https://downloads.example/cardwire-4.1.0.deb?for=x11&quiet=1'
const message: Message = {
  title: 'Cardwire 4.1.0',
  text: 'This version may not be used any more.\nDownload <b>4.1.0</b> & go on \\n here.',
  close: 'Close_&it',
  link: { label: 'Download_it', url },
}
const timeoutMs = 20_000

let session: Session
let links: string
beforeAll(async () => {
  session = await startX11()
  links = makeBrowser(session.environment['HOME'] ?? '')
})
afterAll(() => session.stop())
beforeEach(() => writeFileSync(links, ''))

const desktopOf = (variables: Readonly<Record<string, string>> = {}) =>
  openDesktop({
    platform: 'linux',
    environment: { ...session.environment, ...variables },
    helper: [],
  })

/** Waits for the window, and presses a key in it. */
const press = (key: string) => session.windows.press(`^${message.title}$`, key)
const windowOf = (title: string) => session.windows.focus(`^${title}$`)
const gone = () => session.windows.gone(`^${message.title}$`)

describe.each([
  ['zenity', 'kdialog'],
  ['kdialog', 'zenity'],
])('a dialog by %s', (tool, other) => {
  let path: string
  beforeAll(() => {
    path = without(other, session.environment['HOME'] ?? '')
  })
  const dialog = (variables: Readonly<Record<string, string>> = {}) =>
    desktopOf({ PATH: path, ...variables }).dialog

  test('opens the link when its button is pressed', async () => {
    const answer = dialog().show(message, timeoutMs)
    await press('Return')
    expect(await answer).toBe('link')
    await waitFor(async () => readFileSync(links, 'utf8') === `${url}\n`)
  })

  test('is closed, and opens nothing, when the user closes it', async () => {
    const answer = dialog().show(message, timeoutMs)
    await press('Escape')
    expect(await answer).toBe('closed')
    expect(readFileSync(links, 'utf8')).toBe('')
  })

  test('has no keys that its label does not mean', async () => {
    const link = { label: 'Fetch_it &now', url }
    const answer = dialog().show({ ...message, link }, timeoutMs)
    await press('alt+i')
    await press('alt+n')
    await press('Escape')
    expect(await answer).toBe('closed')
  })

  test('goes when its time is over', async () => {
    const begin = performance.now()
    const answer = dialog().show(message, 4000)
    await windowOf(message.title)
    expect(await answer).toBe('closed')
    expect(performance.now() - begin).toBeLessThan(5500)
    await gone()
  })

  test.each([
    ['without a link', undefined],
    ['with an address that is none of the web', { label: 'Run', url: 'file:///usr/bin/xeyes' }],
    ['with no address', { label: 'Run', url: 'not an address' }],
  ])('has nothing to press but the button that closes it %s', async (_, link) => {
    const { title, text, close } = message
    const answer = dialog().show({ title, text, close, ...(link && { link }) }, timeoutMs)
    await press('Return')
    expect(await answer).toBe('closed')
    expect(readFileSync(links, 'utf8')).toBe('')
  })

  test('is unavailable when the button is pressed and no browser can be opened', async () => {
    const answer = dialog({ PATH: only(tool) }).show(message, timeoutMs)
    await press('Return')
    expect(await answer).toBe('unavailable')
  })

  test.each([
    ['no display', { DISPLAY: '' }],
    ['a display that is not there', { DISPLAY: ':4711' }],
    [
      'such a display, and a user who speaks German',
      { DISPLAY: ':4711', LANGUAGE: 'de', LC_ALL: 'C.UTF-8' },
    ],
    ['no program', { PATH: '/nonexistent' }],
  ])('is unavailable with %s', async (_, variables) => {
    expect(await dialog(variables).show(message, timeoutMs)).toBe('unavailable')
  })
})

test('In a KDE session kdialog comes first', async () => {
  const { dialog } = desktopOf({ XDG_CURRENT_DESKTOP: 'X-Own:KDE' })
  const answer = dialog.show(message, timeoutMs)
  const window = await windowOf(message.title)
  const pid = (await session.run(['xdotool', 'getwindowpid', window])).trim()
  expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('kdialog\n')
  await press('Escape')
  expect(await answer).toBe('closed')
})

describe('openLink', () => {
  test.each([
    [url, `${url}\n`],
    ['HTTP://Example.COM/a b', 'http://example.com/a%20b\n'],
  ])('opens %s', async (link, opened) => {
    expect(await desktopOf().openLink(link)).toBe(true)
    await waitFor(async () => readFileSync(links, 'utf8') === opened)
  })

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    '--help',
    '',
    'example.com',
  ])('leaves «%s» alone', async (link) => {
    expect(await desktopOf().openLink(link)).toBe(false)
    expect(readFileSync(links, 'utf8')).toBe('')
  })
})
