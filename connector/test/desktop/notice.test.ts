/** A notice as a user meets it on Linux: real pinentries, zenity and kdialog under Xvfb, closed by keys. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Notice } from '../../src/system/desktop/notice.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { only } from './path.ts'
import { type Session, startX11 } from './session.ts'

const notice: Notice = {
  title: 'Cardwire',
  text: 'https://shop.example wants <b>your</b> signature.\nType your PIN on the keys of the reader.\n\nReader: One_two',
  cancel: 'Cancel_&it',
}

let session: Session
beforeAll(async () => {
  session = await startX11()
})
afterAll(() => session.stop())

const show = (tool: string, signal = new AbortController().signal, variables = {}) =>
  openDesktop({
    platform: 'linux',
    environment: { ...session.environment, PATH: only(tool), ...variables },
    helper: [],
  }).showNotice(notice, signal)

const window = '^Cardwire'
/** The window of the program, which has the keys then. */
const focus = () => session.windows.focus(window)
const noWindow = () => session.windows.gone(window)

// The window of pinentry-gtk-2 stays at Escape.
test.each([
  ['pinentry-gtk-2', 'Return'],
  ['pinentry-qt', 'Return'],
  ['pinentry-qt', 'Escape'],
  ['zenity', 'Return'],
  ['zenity', 'Escape'],
  ['kdialog', 'Return'],
  ['kdialog', 'Escape'],
])('by %s: a user who presses %s cancels', async (tool, key) => {
  proves('pin-pad-notice')
  const end = show(tool)
  await focus()
  await session.windows.pressHere(key)
  expect(await end).toBe('cancelled')
  await noWindow()
})

describe.each(['pinentry-gtk-2', 'pinentry-qt', 'zenity', 'kdialog'])('by %s', (tool) => {
  test('the window has no field for what the user types, and goes with its signal', async () => {
    proves('pin-pad-notice')
    const gone = new AbortController()
    const end = show(tool, gone.signal)
    await focus()
    await session.windows.type('123456')
    gone.abort()
    expect(await end).toBe('late')
    await noWindow()
  })

  test('without a display there is none', async () => {
    expect(await show(tool, undefined, { DISPLAY: ':4711' })).toBe('unavailable')
  })
})

test.each(['pinentry-gtk-2', 'pinentry-qt'])(
  'no text of the notice is among the arguments of %s',
  async (tool) => {
    const gone = new AbortController()
    const end = show(tool, gone.signal)
    const window = await focus()
    const id = (await session.run(['xdotool', 'getwindowpid', window])).trim()
    expect(readFileSync(`/proc/${id}/cmdline`, 'latin1')).not.toContain('shop.example')
    gone.abort()
    await end
  },
)
