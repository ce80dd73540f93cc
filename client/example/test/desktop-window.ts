/** A window of the connector on the display of the browser, as a user answers it: by keys. */
import { execFile } from 'node:child_process'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Display } from '../../../test/bed/display.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'

const run = promisify(execFile)
const waitMs = 20_000
/** The user reads the window: the connector does not use what comes earlier (`minReadingMs`). */
const readingMs = 2000

export interface DesktopWindow {
  /** Resolves when the window is there and has the keys. */
  appear(): Promise<void>
  /** Writes into the window, which has the keys. */
  type(text: string): Promise<void>
  /** Waits for the window, and presses these keys, one after the other. */
  press(...keys: readonly string[]): Promise<void>
  /** Presses these keys in the window, and waits until another one of this title, of another program, is there. */
  pressForNext(...keys: readonly string[]): Promise<void>
  isOpen(): Promise<boolean>
}

/** `title`: a pattern that the whole title fits. */
export function createDesktopWindow(
  { settings }: Pick<Display, 'settings'>,
  title: string,
): DesktopWindow {
  const xdotool = async (...args: readonly string[]) => {
    const environment = { ...process.env, ...settings }
    const { stdout } = await run('xdotool', args, { env: environment, timeout: waitMs })
    return stdout.trim()
  }
  const window = ['--onlyvisible', '--name', `^${title}$`]
  const appear = async () => {
    const found = await xdotool('search', '--sync', ...window)
    const [id = ''] = found.split('\n').slice(-1)
    await xdotool('windowfocus', '--sync', id)
    await setTimeout(readingMs)
  }
  /** The process whose window it is; numbers of windows are used again. */
  const findOwner = async () => {
    const [id = ''] = (await xdotool('search', '--sync', ...window)).split('\n').slice(-1)
    return xdotool('getwindowpid', id).catch(() => '')
  }
  return {
    async pressForNext(...keys) {
      await appear()
      const before = await findOwner()
      await xdotool('key', ...keys)
      await waitFor(async () => ![before, ''].includes(await findOwner()))
    },
    appear,
    async type(text) {
      await xdotool('type', '--delay', '20', text)
    },
    async press(...keys) {
      await appear()
      await xdotool('key', ...keys)
    },
    isOpen: () =>
      xdotool('search', ...window).then(
        () => true,
        () => false,
      ),
  }
}
