/** The window in which the connector asks for the PIN, as a person answers it. */
import type { Display } from '../../../test/bed/display.ts'
import { createDesktopWindow, type DesktopWindow } from './desktop-window.ts'

export interface PinWindow extends Pick<DesktopWindow, 'appear' | 'isOpen'> {
  /** Waits for the window, types, and presses Enter. */
  enter(pin: string): Promise<void>
  /** Waits for the window, and closes it. */
  cancel(): Promise<void>
}

export function createPinWindow(display: Pick<Display, 'settings'>): PinWindow {
  const { appear, isOpen, type, press } = createDesktopWindow(display, 'Cardwire')
  return {
    appear,
    isOpen,
    async enter(pin) {
      await appear()
      await type(pin)
      await press('Return')
    },
    cancel: () => press('Escape'),
  }
}
