/** The windows on a display of X11, as a user uses them: found by their titles, and operated by keys. */
import { runProgram } from './program.ts'
import { waitFor, waitForValue } from './wait-for.ts'

/** `title`: a pattern of xdotool that the title has to contain. */
export interface Windows {
  /** Waits for the window, and gives it the keys; its id. */
  focus(title: string): Promise<string>
  /** Waits for the window, gives it the keys, and presses these. */
  press(title: string, ...keys: readonly string[]): Promise<void>
  /** Presses keys in the window that has them. */
  pressHere(...keys: readonly string[]): Promise<void>
  /** Types a text into the window that has the keys. */
  type(text: string): Promise<void>
  /** Whether there is such a window. */
  isOpen(title: string): Promise<boolean>
  /** Waits until there is no such window. */
  gone(title: string): Promise<void>
}

/** Milliseconds between two keys of a text: a program misses keys that come at once. */
const keyDelayMs = '50'

/** `environment`: of the programs on the display. */
export function createWindows(environment: NodeJS.ProcessEnv): Windows {
  const run = (...args: readonly string[]) => runProgram(['xdotool', ...args], { env: environment })
  const xdotool = async (...args: readonly string[]): Promise<string | undefined> => {
    const { status, out } = await run(...args)
    return status === 0 ? out.trim() : undefined
  }
  const find = async (title: string): Promise<string | undefined> => {
    const { out, err } = await run('search', '--onlyvisible', '--name', title)
    // A window that goes meanwhile ends the search.
    return err.includes('BadWindow') ? find(title) : out.trim().split('\n').at(-1)
  }
  const focusOnce = async (title: string): Promise<string | undefined> => {
    const id = await find(title)
    if (!id) return undefined
    await xdotool('windowfocus', id)
    return (await xdotool('getwindowfocus', '-f')) === id ? id : undefined
  }
  const send = async (...args: readonly string[]): Promise<void> => {
    if ((await xdotool(...args)) === undefined) throw new Error(`Cannot send keys: ${args[0]}`)
  }
  const focus: Windows['focus'] = (title) =>
    waitForValue(
      () => focusOnce(title),
      () => `no window has the keys whose title contains ${title}`,
    )
  return {
    focus,
    async press(title, ...keys) {
      await focus(title)
      await send('key', ...keys)
    },
    pressHere: (...keys) => send('key', ...keys),
    type: (text) => send('type', '--delay', keyDelayMs, text),
    isOpen: async (title) => Boolean(await find(title)),
    gone: (title) => waitFor(async () => !(await find(title))),
  }
}
