/** A question with two answers as a user meets it on Linux: real pinentries, zenity and kdialog under Xvfb, answered by keys. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import type { Question } from '../../src/system/desktop/question.ts'
import { only } from './path.ts'
import { readSlowly } from './reading-clock.ts'
import { type Session, startX11 } from './session.ts'

/** Of this process alone: a test reads the arguments of all programs, those of other tests too. */
const origin = `https://shop-${process.pid}.example`
const question: Question = {
  title: 'Cardwire',
  text: `${origin} wants to read <b>your</b> card.\n\nCard: 100 % eID\nReader: One_two\n\nDo you share it?`,
  accept: 'Share_it',
  refuse: 'Keep &it',
}

let session: Session
beforeAll(async () => {
  session = await startX11()
})
afterAll(() => session.stop())

const ask = (
  tool: string,
  signal = new AbortController().signal,
  variables = {},
  clock: () => number = readSlowly(),
) =>
  openDesktop({
    platform: 'linux',
    environment: { ...session.environment, PATH: only(tool), ...variables },
    helper: [],
    clock,
  }).askQuestion(question, signal)

const title = '^Cardwire'
/** The window of the program, which has the keys then. */
const focus = () => session.windows.focus(title)
const press = (...keys: readonly string[]) => session.windows.pressHere(...keys)
const noWindow = () => session.windows.gone(title)

describe.each([
  ['pinentry-gtk-2', ['Tab', 'Return']],
  ['pinentry-qt', ['Tab', 'Return']],
  ['zenity', ['Tab', 'Return']],
  ['kdialog', ['Return']],
])('by %s', (tool, keysToAgree) => {
  test('a user who presses the button agrees', async () => {
    proves('identity-dialog')
    const decision = ask(tool)
    await focus()
    await press(...keysToAgree)
    expect(await decision).toBe('accepted')
    await noWindow()
  })

  test('a user who closes the window refuses', async () => {
    const decision = ask(tool)
    await focus()
    await press('Escape')
    expect(await decision).toBe('refused')
  })

  test('the window goes with its signal', async () => {
    const gone = new AbortController()
    const decision = ask(tool, gone.signal)
    await focus()
    gone.abort()
    expect(await decision).toBe('late')
    await noWindow()
  })

  test('without a display nobody is asked, and nothing is agreed to', async () => {
    expect(await ask(tool, undefined, { DISPLAY: ':4711' })).toBe('unavailable')
  })
})

test.each([
  ['the refusing button', 'zenity', ['Return']],
  // Its other button has the focus: three windows in a row are not agreed to.
  ['the other button', 'kdialog', ['Return', 'Return', 'Return']],
])(
  'keys that were pressed before the window was read agree to nothing: %s',
  async (_, tool, keys) => {
    proves('question-repeated')
    const decision = ask(tool, undefined, {}, () => 0)
    for (const key of keys) {
      await focus()
      await press(key)
      await noWindow()
    }
    expect(await decision).toBe('refused')
  },
)

test.each(['pinentry-gtk-2', 'pinentry-qt', 'zenity'])(
  'a user who types on while %s opens refuses',
  async (tool) => {
    proves('question-repeated')
    const decision = ask(tool)
    await focus()
    await press('Return')
    expect(await decision).toBe('refused')
  },
)

/** Arguments of every process of this machine that may be read. */
const readArguments = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      } catch {
        return ''
      }
    })
    .join('\n')

test.each(['pinentry-gtk-2', 'pinentry-qt'])(
  'no text of the question is among the arguments of %s',
  async (tool) => {
    proves('question-in-process-list')
    const gone = new AbortController()
    const decision = ask(tool, gone.signal)
    await focus()
    expect(readArguments()).toContain(tool)
    expect(readArguments()).not.toContain(origin)
    gone.abort()
    await decision
  },
)

test('a pinentry of the terminal leaves the question to another program', async () => {
  expect(await ask('pinentry-curses')).toBe('unavailable')
})
