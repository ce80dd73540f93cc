/** The windows in which the connector asks for a folder: that of the system for folders, and the question whether the page may have it. */
import type { Display } from '../../../test/bed/display.ts'
import { createDesktopWindow } from './desktop-window.ts'

export interface FolderWindows {
  /** Takes the folder in which the window begins, and allows it. */
  choose(): Promise<void>
  /** Closes the window for folders. */
  cancel(): Promise<void>
}

export function createFolderWindows(
  display: Pick<Display, 'settings'>,
  origin: string,
): FolderWindows {
  const folders = createDesktopWindow(display, `${origin}.+`)
  const question = createDesktopWindow(display, 'Cardwire')
  return {
    async choose() {
      await folders.press('Return')
      // The button that refuses has the keys first.
      await question.press('Tab', 'Return')
    },
    cancel: () => folders.press('Escape'),
  }
}
