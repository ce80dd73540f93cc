/** What operating systems and computers are called, in French. */
import type { Texts } from '../en/catalog.ts'

export const systems: Texts['systems'] = {
  WIN64: 'Windows, 64 bits',
  WIN32: 'Windows, 32 bits',
  MACOS: 'macOS, Intel',
  MACOSARM: 'macOS, puce Apple',
  UNIX: 'Linux',
}
