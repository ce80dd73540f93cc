/** The window in which the connector asks for the PIN, as a user answers it. */
import type { Display } from '../../../test/bed/display.ts'
import { createDesktopWindow, type DesktopWindow } from './desktop-window.ts'

export interface PinWindow extends Pick<DesktopWindow, 'appear' | 'isOpen'> {
  /** Waits for the window, types, and presses Enter. */
  enter(pin: string): Promise<void>
  /** Agrees to another attempt after a wrong PIN, then the same. */
  enterAgain(pin: string): Promise<void>
  /** Waits for the window, and closes it. */
  cancel(): Promise<void>
}

export function createPinWindow(display: Pick<Display, 'settings'>): PinWindow {
  const { appear, isOpen, type, press, pressForNext } = createDesktopWindow(display, 'Cardwire')
  const enter = async (pin: string) => {
    await appear()
    await type(pin)
    await press('Return')
  }
  return {
    enter,
    async enterAgain(pin) {
      // The button that refuses has the keys first.
      await pressForNext('Tab', 'Return')
      await enter(pin)
    },
    appear,
    isOpen,
    cancel: () => press('Escape'),
  }
}
