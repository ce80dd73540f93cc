/** A window of the connector on the display of the browser, as a user answers it: by keys. */
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Display } from '../../../test/bed/display.ts'
import { runProgram } from '../../../test/bed/program.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { createWindows } from '../../../test/bed/windows.ts'

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
  const env = { ...process.env, ...settings }
  const windows = createWindows(env)
  const whole = `^${title}$`
  const appear = async () => {
    await windows.focus(whole)
    await setTimeout(readingMs)
  }
  /** The process whose window it is; numbers of windows are used again. */
  const findOwner = async () => {
    const { out } = await runProgram(['xdotool', 'getwindowpid', await windows.focus(whole)], {
      env,
    })
    return out.trim()
  }
  return {
    async pressForNext(...keys) {
      await appear()
      const before = await findOwner()
      await windows.pressHere(...keys)
      await waitFor(async () => ![before, ''].includes(await findOwner()))
    },
    appear,
    type: windows.type,
    async press(...keys) {
      await appear()
      await windows.pressHere(...keys)
    },
    isOpen: () => windows.isOpen(whole),
  }
}
