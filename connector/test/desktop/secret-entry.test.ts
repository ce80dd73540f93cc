/** The entry of a secret as a user meets it on Linux: real pinentries, zenity and kdialog under Xvfb, typed into. */
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import type { SecretQuestion } from '../../src/system/desktop/secret-entry.ts'
import { only } from './path.ts'
import { readSlowly } from './reading-clock.ts'
import { type Session, startX11 } from './session.ts'

/** Of this process only: a test reads the arguments of all programs, those of other tests too. */
const origin = `https://shop-${process.pid}.example`
const question: SecretQuestion = {
  title: 'Cardwire',
  text: `${origin} wants <b>your</b> signature.\n\nCard: 100 % PIV\nReader: One_two`,
  prompt: 'PIN:',
  submit: 'Sign',
  cancel: 'Cancel',
}
/** Rare enough to be found wherever it went, and not in the programs that other tests start. */
const secret = String(randomInt(10_000_000, 99_999_999))

let session: Session
beforeAll(async () => {
  session = await startX11()
})
afterAll(() => session.stop())

const ask = (
  tool: string,
  signal = new AbortController().signal,
  variables = {},
  shownQuestion = question,
  clock: () => number = readSlowly(),
) =>
  openDesktop({
    platform: 'linux',
    environment: { ...session.environment, PATH: only(tool), ...variables },
    helper: [],
    clock,
  }).askSecret(shownQuestion, signal)

const title = '^Cardwire'
/** The window of the program, which has the keys then. */
const findWindow = () => session.windows.focus(title)
const type = (text: string) => session.windows.type(text)
const press = (key: string) => session.windows.pressHere(key)
const noWindow = () => session.windows.gone(title)

/** Arguments and environment of every process of this machine that may be read. */
const readProcesses = (file: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'latin1')
      } catch {
        return ''
      }
    })
    .join('\n')

describe.each(['pinentry-gtk-2', 'pinentry-qt', 'zenity', 'kdialog'])('by %s', (tool) => {
  test('what the user types is the secret, and in no argument or environment', async () => {
    proves('pin-in-process-list')
    const answer = ask(tool)
    await findWindow()
    await type(secret)
    expect(readProcesses('cmdline').replace(/xdotool[^\n]*/g, '')).not.toContain(secret)
    expect(readProcesses('environ')).not.toContain(secret)
    await press('Return')
    expect(await answer).toEqual({ kind: 'entered', secret: Uint8Array.from(Buffer.from(secret)) })
    await noWindow()
  })

  test('what is typed as the window opens is no secret', async () => {
    proves('pin-typed-ahead')
    const answer = ask(tool, undefined, {}, question, () => 0)
    await findWindow()
    await type(secret)
    await press('Return')
    expect(await answer).toEqual({ kind: 'early' })
  })

  test('a user who closes the window enters nothing', async () => {
    const answer = ask(tool)
    await findWindow()
    await press('Escape')
    expect(await answer).toEqual({ kind: 'cancelled' })
  })

  test('the window goes with its signal', async () => {
    proves('dialogs-confused')
    const gone = new AbortController()
    const answer = ask(tool, gone.signal)
    await findWindow()
    gone.abort()
    expect(await answer).toEqual({ kind: 'late' })
    await noWindow()
  })

  test('without a display there is none', async () => {
    expect(await ask(tool, undefined, { DISPLAY: ':4711' })).toEqual({ kind: 'unavailable' })
  })
})

/** The width of the window of zenity with this text, in pixels. */
async function measureText(text: string): Promise<number> {
  const gone = new AbortController()
  const answer = ask('zenity', gone.signal, {}, { ...question, text })
  const geometry = await session.run(['xdotool', 'getwindowgeometry', await findWindow()])
  gone.abort()
  await answer
  await noWindow()
  return Number(/Geometry: (\d+)x/.exec(geometry)?.[1])
}

test.each(['_', '\\'])('zenity shows every %s of a text', async (character) => {
  // One line of 52 columns at most, wider than the least width of the window.
  const measure = (word: string) => measureText(`${'W'.repeat(40)}${word.repeat(6)}`)
  const [none, one, two] = [
    await measure(''),
    await measure(character),
    await measure(character.repeat(2)),
  ]
  expect(one).toBeGreaterThan(none)
  expect(two - one).toBe(one - none)
})

test.each(['pinentry-gtk-2', 'pinentry-qt'])(
  'no text of the question is among the arguments of %s',
  async (tool) => {
    proves('pin-in-process-list')
    const gone = new AbortController()
    const answer = ask(tool, gone.signal)
    await findWindow()
    expect(readProcesses('cmdline')).toContain(tool)
    expect(readProcesses('cmdline')).not.toContain(origin)
    gone.abort()
    await answer
  },
)

test('a pinentry of the terminal leaves the question to another program', async () => {
  expect(await ask('pinentry-curses')).toEqual({ kind: 'unavailable' })
})
