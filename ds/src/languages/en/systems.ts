/** What operating systems and computers are called. */
import type { Platform } from '@cardwire/protocol'

export const systems = {
  WIN64: 'Windows, 64-bit',
  WIN32: 'Windows, 32-bit',
  MACOS: 'macOS, Intel',
  MACOSARM: 'macOS, Apple silicon',
  UNIX: 'Linux',
} satisfies Readonly<Record<Platform, string>>
