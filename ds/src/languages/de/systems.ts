/** What operating systems and computers are called, in German. */
import type { Texts } from '../en/catalog.ts'

export const systems: Texts['systems'] = {
  WIN64: 'Windows, 64-Bit',
  WIN32: 'Windows, 32-Bit',
  MACOS: 'macOS, Intel',
  MACOSARM: 'macOS, Apple-Chip',
  UNIX: 'Linux',
}
