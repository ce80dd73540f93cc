/** The window in which the connector asks for the PIN, as a person answers it: by keys, on the display of the browser. */
import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Display } from '../../../.ci/test-bed/display.ts'

const run = promisify(execFile)
const waitMs = 20_000

export interface PinWindow {
  /** Resolves when the window is there and has the keys. */
  appear(): Promise<void>
  /** Waits for the window, types, and presses Enter. */
  enter(pin: string): Promise<void>
  /** Waits for the window, and closes it. */
  cancel(): Promise<void>
  isOpen(): Promise<boolean>
}

export function createPinWindow({ settings }: Pick<Display, 'settings'>): PinWindow {
  const xdotool = async (...args: readonly string[]) => {
    const environment = { ...process.env, ...settings }
    const { stdout } = await run('xdotool', args, { env: environment, timeout: waitMs })
    return stdout.trim()
  }
  const window = ['--onlyvisible', '--name', '^Cardwire$']
  const appear = async () => {
    const found = await xdotool('search', '--sync', ...window)
    const [id = ''] = found.split('\n').slice(-1)
    await xdotool('windowfocus', '--sync', id)
  }
  return {
    appear,
    async enter(pin) {
      await appear()
      await xdotool('type', '--delay', '20', pin)
      await xdotool('key', 'Return')
    },
    async cancel() {
      await appear()
      await xdotool('key', 'Escape')
    },
    isOpen: () =>
      xdotool('search', ...window).then(
        () => true,
        () => false,
      ),
  }
}
