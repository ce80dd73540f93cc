/** The desktop of Windows by its real calls, under Wine and Xvfb: other programs hold the clipboard and press buttons. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor, waitForValue } from '../../../test/bed/wait-for.ts'
import { buildProgram } from '../wine/build-program.ts'
import { openWine, type Wine } from '../wine/wine.ts'
import { makeBrowser } from './browser.ts'
import { readWindow } from './read-window.ts'
import { type Session, startX11 } from './session.ts'

const run = promisify(execFile)

let folder: string
let wine: Wine
let session: Session
let links: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-desktop-'))
  session = await startX11()
  links = makeBrowser(session.environment['HOME'] ?? '')
  wine = await openWine(join(folder, 'prefix'), { hasManagedWindows: false })
  const compiler = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-O1', '-municode']
  const source = join(import.meta.dirname, 'other-program.c')
  await run('x86_64-w64-mingw32-gcc', [...compiler, '-o', join(folder, 'other.exe'), source])
  await buildProgram(join(import.meta.dirname, 'windows-program.ts'), join(folder, 'act.exe'))
})
afterAll(async () => {
  await wine.stop()
  await session.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => writeFileSync(links, ''))

/** `ticks`: how often a timer of 10 ms ran meanwhile; none while the loop of the program stands still. */
const Answer = z.object({ answer: z.unknown(), ms: z.number(), ticks: z.number() })

/** What our program says of an act of the desktop. */
async function act(...args: readonly string[]) {
  const child = wine.start(join(folder, 'act.exe'), args, session.environment)
  if (!child.stdout) throw new Error('Expected a pipe')
  return Answer.parse(JSON.parse(await text(child.stdout)))
}

/** Another program; resolves when it is ready, with all that it says until it ends. */
async function other(...args: readonly string[]) {
  const child = wine.start(join(folder, 'other.exe'), args, session.environment)
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += String(chunk)
      if (output.includes('ready')) resolve()
    })
    child.once('exit', () => reject(new Error(`The other program ended, and said ${output}`)))
  })
  await ready
  const readShown = (name: string) =>
    Buffer.from(new RegExp(`^${name} (\\S*)`, 'm').exec(output)?.[1] ?? '', 'hex').toString(
      'utf16le',
    )
  return { readShown }
}

describe('the clipboard', () => {
  /** Asked again while this machine is too slow for the deadline: Wine alone takes most of it at times. */
  const read = () =>
    waitForValue(async () => {
      const { answer } = await act('read')
      return JSON.stringify(answer).includes('is not responding') ? undefined : answer
    })

  test('is empty when nothing is there, and can be read', async () => {
    await other('clear')
    await waitFor(async () => (await act('available')).answer === 'yes')
    expect(await read()).toEqual({ kind: 'empty' })
  })

  test.each(['::t1c::miksa::abcDEF 123', 'Zoë 智能卡 🂡\r\nsecond line\r\n'])(
    'is the text %j',
    async (copied) => {
      await other('give', copied)
      expect(await read()).toEqual({ kind: 'text', text: copied })
    },
  )

  test('is what a program outside Wine copied', async () => {
    const copied = 'of X11: é 智能卡'
    session.start(['xclip', '-quiet', '-selection', 'clipboard', '-t', 'UTF8_STRING'], copied)
    await waitFor(async () => JSON.stringify(await read()).includes(copied))
  })

  test('is read up to 4 KiB, and not at all beyond', async () => {
    await other('give-much', '2048')
    expect(await read()).toEqual({ kind: 'text', text: 'é'.repeat(2048) })
    await other('give-much', '2049')
    expect(await read()).toEqual({ kind: 'empty' })
    await other('give-much', '3000000')
    expect(await read()).toEqual({ kind: 'empty' })
  })

  test('is read though another program has it open at first', async () => {
    await other('open-at-first', 'later')
    expect(await read()).toEqual({ kind: 'text', text: 'later' })
  })

  test('is unavailable within three seconds while another program keeps it open', async () => {
    await other('keep-open')
    const { answer, ms } = await act('read')
    expect(ms).toBeLessThan(3000)
    // Wine's own thread for the clipboard waits with us, and may keep us until the deadline.
    expect(answer).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringMatching(/ (keeps it open|is not responding); copy the text again$/),
    })
  })

  test('is unavailable within three seconds when its holder never answers, and the loop lives', async () => {
    await other('promise')
    const { answer, ms, ticks } = await act('read')
    expect(ms).toBeLessThan(3000)
    expect(ticks).toBeGreaterThan(0)
    expect(answer).toEqual({
      kind: 'unavailable',
      reason:
        'Cannot read the clipboard: the program that holds it is not responding; copy the text again',
    })
  })
})

describe('a dialog', () => {
  const title = 'Cardwire 4.1.0'
  const message = 'Zoë & <b>4.1.0</b> \\n here.\nSecond line'
  const url = 'https://downloads.example/cardwire-4.1.0.msi?for=x11&quiet=1'
  const [ok, cancel] = ['1', '2']

  test('shows what OK does, and opens the link when it is pressed', async () => {
    const { readShown } = await other('press', title, ok)
    const { answer, ticks } = await act('ask', title, message, 'Download it', url)
    expect(readShown('box')).toBe(`${message}\n\nOK: Download it\n${url}`)
    expect(answer).toBe('link')
    expect(ticks).toBeGreaterThan(0)
    await waitFor(async () => readFileSync(links, 'utf8') === `${url}\n`)
  })

  test('is closed, and opens nothing, when Cancel is pressed', async () => {
    await other('press', title, cancel)
    expect((await act('ask', title, message, 'Download it', url)).answer).toBe('closed')
    expect(readFileSync(links, 'utf8')).toBe('')
  })

  test('has OK alone without a link, which opens nothing', async () => {
    const { readShown } = await other('press', title, ok)
    expect((await act('ask', title, message)).answer).toBe('closed')
    expect(readShown('box')).toBe(message)
    expect(readFileSync(links, 'utf8')).toBe('')
  })

  test('goes when its time is over', async () => {
    const { readShown } = await other('press', title, '0')
    const { answer, ms } = await act('ask-briefly', title, message, 'Download it', url)
    expect(readShown('box')).toContain(message)
    expect(answer).toBe('closed')
    expect(ms).toBeLessThan(10_000)
    // Were it still there, it would be found and could be pressed.
    await session.windows.gone(title)
  })
})

describe('a notice', () => {
  const title = 'Cardwire notice'
  const message =
    'https://shop.example wants your signature.\nType your PIN on the keys of the reader.'
  const [ok, cancel] = ['1', '2']

  test.each([
    ['OK closes it alone', ok, 'closed'],
    ['Cancel cancels', cancel, 'cancelled'],
  ])('%s', async (_, button, end) => {
    const { readShown } = await other('press', title, button)
    expect((await act('inform', title, message, '60000')).answer).toBe(end)
    expect(readShown('box')).toBe(message)
  })

  test('goes when its time is over', async () => {
    expect((await act('inform', title, message, '3000')).answer).toBe('late')
  })
})

describe('a question', () => {
  const title = 'Cardwire question'
  const message = 'https://shop.example wants to read <b>your</b> card.\n\nDo you share it?'
  const [yes, no] = ['6', '7']

  test.each([
    ['Yes agrees', yes, 'accepted'],
    ['No refuses', no, 'refused'],
  ])('%s', async (_, button, decision) => {
    proves('identity-dialog')
    const { readShown } = await other('press', title, button)
    const { answer, ticks } = await act('decide', title, message, '60000')
    expect(readShown('box')).toBe(message.replace('<b>', '‹b›').replace('</b>', '‹/b›'))
    expect(answer).toBe(decision)
    expect(ticks).toBeGreaterThan(0)
  })

  test('a user who types on while it opens refuses', async () => {
    proves('question-repeated')
    const decision = act('decide', title, message, '60000')
    await session.windows.press(`^${title}$`, 'Return')
    expect((await decision).answer).toBe('refused')
  })

  test('goes when its time is over', async () => {
    expect((await act('decide', title, message, '3000')).answer).toBe('late')
  })
})

describe('the entry of a secret', () => {
  const title = 'Cardwire PIN'
  const text = 'https://shop.example wants your signature.\nCard: PIV card'

  /** Waits for the window, which has the keys then. */
  const focus = () => session.windows.focus(`^${title}$`)

  test('is what the user types', async () => {
    const entering = act('enter', title, text, '60000')
    await focus()
    await session.windows.type('90817263')
    await readWindow()
    await session.windows.pressHere('Return')
    expect((await entering).answer).toBe('90817263')
  })

  test('is cancelled by the user', async () => {
    const entering = act('enter', title, text, '60000')
    await focus()
    await session.windows.pressHere('Escape')
    expect((await entering).answer).toBe('cancelled')
  })

  test('goes when its time is over', async () => {
    expect((await act('enter', title, text, '3000')).answer).toBe('late')
  })
})

test('A notification reaches the tray with its title and text, cut where there is no more room', async () => {
  const { readShown } = await other('tray')
  const title = 'Zoë 智能卡'
  const shown = `${'x'.repeat(254)}🂡 and more`
  const { answer } = await act('notify', title, shown)
  expect(answer).toBe(true)
  await waitFor(async () => readShown('text') !== '')
  expect(readShown('tip')).toBe('Cardwire')
  expect(readShown('title')).toBe(title)
  expect(readShown('text')).toBe('x'.repeat(254))
})

test('A link is opened by the browser of the user, and an address that is none of the web is left alone', async () => {
  const link = 'https://downloads.example/a?b=c&d=e'
  expect((await act('open', 'file:///C:/windows/system32/notepad.exe')).answer).toBe(false)
  expect((await act('open', link)).answer).toBe(true)
  await waitFor(async () => readFileSync(links, 'utf8') === `${link}\n`)
})
