/** The clipboard of Linux in real sessions: by xclip and xsel under Xvfb, by wl-paste under sway. */
import { relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { only } from './path.ts'
import { type Session, startWayland, startX11 } from './session.ts'

const clipboardOf = (environment: Readonly<Record<string, string | undefined>>) =>
  openDesktop({ platform: 'linux', environment, helper: [] }).clipboard

const sessions = [
  {
    name: 'xclip',
    start: startX11,
    copy: (type: string) => ['xclip', '-quiet', '-selection', 'clipboard', '-t', type],
    types: ['xclip', '-selection', 'clipboard', '-o', '-t', 'TARGETS'],
    plain: 'UTF8_STRING',
  },
  {
    name: 'xsel',
    start: startX11,
    copy: (type: string) => ['xclip', '-quiet', '-selection', 'clipboard', '-t', type],
    types: ['xclip', '-selection', 'clipboard', '-o', '-t', 'TARGETS'],
    plain: 'UTF8_STRING',
  },
  {
    name: 'wl-paste',
    start: startWayland,
    copy: (type: string) => ['wl-copy', '--foreground', '--type', type],
    types: ['wl-paste', '--list-types'],
    plain: 'text/plain;charset=utf-8',
  },
] as const

describe.each(sessions)('the clipboard by $name', ({ name, start, copy, types, plain }) => {
  let session: Session
  beforeAll(async () => {
    session = await start()
  })
  afterAll(() => session.stop())

  const clipboard = () => clipboardOf({ ...session.environment, PATH: only(name, 'cat') })

  /** A program that holds the clipboard with a text, when everybody can see that it does. */
  async function hold(text: string | Uint8Array) {
    const holder = session.start(copy(plain), text)
    onTestFinished(async () => {
      await holder.stop('SIGKILL')
    })
    await waitFor(
      async () => (await session.run(types).catch(() => '')).includes(plain),
      () => `nothing holds the clipboard: ${holder.output()}`,
    )
    return holder
  }

  test('is empty when nothing was ever copied', async () => {
    expect(await clipboard().findObstacle()).toBeUndefined()
    expect(await clipboard().read()).toEqual({ kind: 'empty' })
  })

  test('is the text as it was copied, in every script, line ends included', async () => {
    const text = '::t1c::miksa::Zoë 智能卡 🂡\r\n second line\n\n'
    await hold(text)
    expect(await clipboard().findObstacle()).toBeUndefined()
    expect(await clipboard().read()).toEqual({ kind: 'text', text })
  })

  test('is read up to 4 KiB, and not at all beyond', async () => {
    const text = 'é'.repeat(2048)
    await hold(text)
    expect(await clipboard().read()).toEqual({ kind: 'text', text })
  })

  test.each([4097, 60_000])('is empty when it holds %i bytes', async (bytes) => {
    await hold('x'.repeat(bytes))
    expect(await clipboard().read()).toEqual({ kind: 'empty' })
  })

  test('is no text when it holds megabytes', async () => {
    await hold('x'.repeat(5_000_000))
    // xsel fails at a text that comes in parts: that is no text either.
    const kinds = name === 'xsel' ? ['empty', 'unavailable'] : ['empty']
    expect(kinds).toContain((await clipboard().read()).kind)
  })

  test('is empty when it holds no UTF-8', async () => {
    await hold(Uint8Array.of(0x61, 0xff, 0x62))
    expect(await clipboard().read()).toEqual({ kind: 'empty' })
  })

  test('is unavailable within a second and a half when its holder never answers', async () => {
    proves('silent-clipboard')
    const text = 'a code word that nobody gets'
    const holder = await hold(text)
    expect(await clipboard().read()).toEqual({ kind: 'text', text })
    holder.child.kill('SIGSTOP')
    const begin = performance.now()
    const [answer, reason] = await Promise.all([clipboard().read(), clipboard().findObstacle()])
    expect(performance.now() - begin).toBeLessThan(1500)
    const silence =
      'Cannot read the clipboard: the program that holds it is not responding; copy the text again'
    expect(answer).toEqual({ kind: 'unavailable', reason: silence })
    // wl-paste knows the types without asking the holder.
    expect(reason).toBe(name === 'wl-paste' ? undefined : silence)
  })
})

describe('a session without a clipboard', () => {
  const where = 'start the connector in the desktop session of the user whose browser asks'
  const x11 = { DISPLAY: ':4711' }
  const wayland = { WAYLAND_DISPLAY: 'wayland-4711', XDG_RUNTIME_DIR: '/nonexistent' }

  test.each([
    ['no display', {}, ['xclip'], `neither WAYLAND_DISPLAY nor DISPLAY is set; ${where}`],
    ['X11 and no program', x11, [], 'this session needs the program xclip; install it'],
    [
      'Wayland and no program',
      wayland,
      ['xclip', 'xsel'],
      'this session needs the program wl-paste; install the package wl-clipboard',
    ],
    [
      'an X server that is not there',
      x11,
      ['xclip'],
      `xclip failed at the display :4711; ${where}`,
    ],
    ['the same, with xsel', x11, ['xsel'], `xsel failed at the display :4711; ${where}`],
    [
      'a compositor that is not there',
      { ...x11, ...wayland },
      ['wl-paste', 'xclip'],
      `wl-paste failed at the display wayland-4711; ${where}`,
    ],
    [
      'Wayland with X11, and programs of X11 alone',
      { ...x11, ...wayland },
      ['xsel', 'xclip'],
      `xclip failed at the display :4711; ${where}`,
    ],
  ] as const)('says what to do with %s', async (_, session, programs, what) => {
    const clipboard = clipboardOf({ ...session, PATH: only(...programs) })
    const reason = `Cannot read the clipboard: ${what}`
    expect(await clipboard.read()).toEqual({ kind: 'unavailable', reason })
    expect(await clipboard.findObstacle()).toBe(reason)
  })

  test('does not take programs of the folder it was started in', async () => {
    const clipboard = clipboardOf({ ...x11, PATH: relative(process.cwd(), only('xclip')) })
    expect(await clipboard.findObstacle()).toMatch(/needs the program xclip/)
  })
})
