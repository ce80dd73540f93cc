/** Texts that do not fit a window, in each program of Linux: the longest origin, and texts that are not ASCII without a locale. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { only } from './path.ts'
import { type Session, startX11 } from './session.ts'

const tools = ['pinentry-gtk-2', 'pinentry-qt', 'zenity', 'kdialog'] as const
/** 253 characters, the longest host of RFC 1035. */
const origin = `https://${['w', 'b', 'c', 'd']
  .map((letter) => letter.repeat(63))
  .join('.')
  .slice(0, 253)}:65535`
const title = 'Cardwire'
const text = `${origin} möchte wissen, wer Sie sind.\n\nKarte: ${'Ausweis '.repeat(30)}`

let session: Session
beforeAll(async () => {
  session = await startX11()
})
afterAll(() => session.stop())

const open = (tool: string, variables: Readonly<Record<string, string>>) =>
  openDesktop({
    platform: 'linux',
    environment: { ...session.environment, PATH: only(tool, 'locale'), ...variables },
    helper: [],
  })

type Show = (desktop: ReturnType<typeof open>, signal: AbortSignal) => Promise<unknown>
const windows: Readonly<Record<string, Show>> = {
  secret: ({ askSecret }, signal) =>
    askSecret({ title, text, prompt: 'PIN:', submit: 'Prüfen', cancel: 'Nein' }, signal),
  question: ({ askQuestion }, signal) =>
    askQuestion({ title, text, accept: 'Bestätigen', refuse: 'Nein' }, signal),
  notice: ({ showNotice }, signal) => showNotice({ title, text, cancel: 'Nein' }, signal),
}

/** The window of a program that was ended stays for a moment. */
const noWindow = () => session.windows.gone('^Cardwire$')

/** Pixels of the window that is open. */
async function measureWindow(): Promise<readonly [number, number]> {
  const id = await session.windows.focus('^Cardwire$')
  const geometry = await session.run(['xdotool', 'getwindowgeometry', id])
  const [, width, height] = /Geometry: (\d+)x(\d+)/.exec(geometry) ?? []
  return [Number(width), Number(height)]
}

test.each(tools.flatMap((tool) => Object.keys(windows).map((name) => [tool, name] as const)))(
  '%s fits the longest origin into a screen of 1280 x 720, and shows texts without a locale: %s',
  async (tool, name) => {
    proves('window-beyond-screen')
    const gone = new AbortController()
    // One that no machine has; pinentry-gtk-2 reads only the variable.
    const end = windows[name]?.(open(tool, { LC_ALL: 'xx_XX.UTF-8' }), gone.signal)
    try {
      const [width, height] = await measureWindow()
      expect([width <= 1280, height <= 720, width > 0]).toEqual([true, true, true])
    } finally {
      gone.abort()
      await end
      await noWindow()
    }
  },
)
