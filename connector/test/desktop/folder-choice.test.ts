/** The choice of a folder as a user meets it on Linux: real zenity and kdialog under Xvfb, answered by keys. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { only } from './path.ts'
import { type Session, startX11 } from './session.ts'

const title = 'https://shop.example: folder, 100 % <b>its</b> own'

let session: Session
let start: string
beforeAll(async () => {
  session = await startX11()
  start = join(session.environment['HOME'] ?? '', 'inv oices')
  mkdirSync(start)
})
afterAll(() => session.stop())

const choose = (tool: string, signal = new AbortController().signal, variables = {}) =>
  openDesktop({
    platform: 'linux',
    environment: { ...session.environment, PATH: only(tool), ...variables },
    helper: [],
  }).chooseFolder({ title, start, language: 'en' }, signal)

const window = '^https'
/** The window of the program, which has the keys then. */
const focus = () => session.windows.focus(window)
const noWindow = () => session.windows.gone(window)

describe.each(['zenity', 'kdialog'])('by %s', (tool) => {
  test('a user who closes the window chooses none', async () => {
    const choice = choose(tool)
    await focus()
    await session.windows.pressHere('Escape')
    expect(await choice).toEqual({ kind: 'cancelled' })
  })

  test('the window goes with its signal', async () => {
    const gone = new AbortController()
    const choice = choose(tool, gone.signal)
    await focus()
    gone.abort()
    expect(await choice).toEqual({ kind: 'late' })
    await noWindow()
  })

  test('without a display nothing is chosen', async () => {
    expect(await choose(tool, undefined, { DISPLAY: ':4711' })).toEqual({ kind: 'unavailable' })
  })
})

test('a user who presses the button of zenity chooses the folder in which it begins', async () => {
  const choice = choose('zenity')
  await focus()
  await session.windows.pressHere('Return')
  expect(await choice).toEqual({ kind: 'chosen', path: start })
})

test('a pinentry is not asked for folders', async () => {
  expect(await choose('pinentry-gtk-2')).toEqual({ kind: 'unavailable' })
})
