/**
 * Pictures of every window of the connector on Linux, by each program that shows windows, light and dark where it has both; for
 * translators: `npm run screenshots:windows -- --language fr --to FOLDER [WINDOW …]`. The titles of the windows, which a desktop
 * draws, are in `titles.txt`.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPictureOptions } from '../../../test/bed/picture-options.ts'
import { waitFor, waitForValue } from '../../../test/bed/wait-for.ts'
import type { Desktop } from '../../src/system/desktop/desktop.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { clip, type Rectangle, readPixels, toPng } from './screen-picture.ts'
import { type Session, startX11 } from './session.ts'
import { listNotifications, listWindows, type ShownWindow } from './shown-windows.ts'

const { language, tag, to, wanted } = readPictureOptions()
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

const appearances = {
  'pinentry-gtk-2': { tool: 'pinentry-gtk-2', variables: {} },
  'pinentry-qt': { tool: 'pinentry-qt', variables: {} },
  'zenity-light': { tool: 'zenity', variables: { GTK_THEME: 'Adwaita' } },
  'zenity-dark': { tool: 'zenity', variables: { GTK_THEME: 'Adwaita:dark' } },
} as const

/** Looks in a row at a window that has been drawn. */
const sameLooks = 4

const folder = mkdtempSync(join(tmpdir(), 'cardwire-windows-'))
const session = await startX11({ pixels: folder })
try {
  // The pointer is drawn, too.
  await session.run(['xdotool', 'mousemove', '1279', '1023'])
  const home = join(session.environment['HOME'] ?? '', 'anna')
  mkdirSync(join(home, 'Documents/Contoso'), { recursive: true })
  const windows = Object.entries(listWindows(language, home)).filter(([name]) => isWanted(name))
  writeFileSync(
    join(to, 'titles.txt'),
    windows.map(([name, { title }]) => `${name}: ${title}\n`).join(''),
  )
  for (const [appearance, { tool, variables }] of Object.entries(appearances)) {
    const desktop = open(tool, variables)
    for (const [name, window] of windows) {
      if (tool !== 'zenity' && !window.byPinentry) continue
      await takeWindow(join(to, `${name}-${appearance}.png`), window, desktop)
    }
  }
  await takeNotifications(session)
} finally {
  await session.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The desktop of a user who has only this program for windows. */
function open(tool: string, variables: Readonly<Record<string, string>>): Desktop {
  const path = join(folder, tool)
  mkdirSync(path, { recursive: true })
  for (const name of [tool, 'locale']) {
    rmSync(join(path, name), { force: true })
    symlinkSync(join('/usr/bin', name), join(path, name))
  }
  const locale = { LANG: `${tag.replace('-', '_')}.UTF-8`, LANGUAGE: language, PATH: path }
  return openDesktop({
    platform: 'linux',
    environment: { ...session.environment, ...locale, ...variables },
    helper: [],
  })
}

async function takeWindow(path: string, { title, hasSignal, show }: ShownWindow, desktop: Desktop) {
  const gone = new AbortController()
  const end = show(desktop, gone.signal)
  const pattern = `^${title.replaceAll(/[.()?]/g, '\\$&')}$`
  const id = await session.windows.focus(pattern)
  await take(path, id)
  gone.abort()
  if (!hasSignal) await session.windows.pressHere('Escape')
  await end
  await session.windows.gone(pattern)
}

/** Once the window stays as it is. */
async function take(path: string, id: string): Promise<void> {
  let shown: Buffer = Buffer.alloc(0)
  let same = 0
  let place: Rectangle = { x: 0, y: 0, width: 0, height: 0 }
  await waitFor(async () => {
    place = clip(folder, await findPlace(id))
    const before = shown
    shown = readPixels(folder, place)
    same = shown.equals(before) ? same + 1 : 1
    return same === sameLooks
  })
  writeFileSync(path, toPng(shown, place))
}

async function findPlace(id: string): Promise<Rectangle> {
  const geometry = await session.run(['xdotool', 'getwindowgeometry', '--shell', id])
  const read = (name: string) => Number(new RegExp(`^${name}=(-?\\d+)$`, 'm').exec(geometry)?.[1])
  return { x: read('X'), y: read('Y'), width: read('WIDTH'), height: read('HEIGHT') }
}

/** Of dunst, which has no buttons and one appearance. */
async function takeNotifications({ environment, start, run }: Session): Promise<void> {
  const address = `unix:path=${environment['HOME']}/bus`
  const bus = ['dbus-daemon', '--session', '--nofork', '--print-address=1', `--address=${address}`]
  const [printed] = await start(bus).waitForOutput(/unix:.*\n/)
  const onBus = { ...environment, DBUS_SESSION_BUS_ADDRESS: printed.trim() }
  const dunstctl = (...args: readonly string[]) =>
    run(['env', `DBUS_SESSION_BUS_ADDRESS=${printed.trim()}`, 'dunstctl', ...args])
  // The first question to it starts it.
  await waitFor(async () => (await dunstctl('count').catch(() => '')) !== '')
  const { notifier } = openDesktop({ platform: 'linux', environment: onBus, helper: [] })
  const find = () => run(['xdotool', 'search', '--onlyvisible', '--class', 'dunst']).catch(() => '')
  for (const [name, notification] of Object.entries(listNotifications(language))) {
    if (!isWanted(`notification-${name}`)) continue
    await notifier.show(notification)
    const id = await waitForValue(async () => (await find()).trim() || undefined)
    await take(join(to, `notification-${name}.png`), id)
    await dunstctl('close-all')
    await waitFor(async () => (await find()) === '')
  }
}
