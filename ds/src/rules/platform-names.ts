/** What people call the operating systems. */
import type { Platform } from '@cardwire/client/protocol'

export const platformNames: Readonly<Record<Platform, string>> = {
  WIN64: 'Windows, 64-bit',
  WIN32: 'Windows, 32-bit',
  MACOS: 'macOS, Intel',
  MACOSARM: 'macOS, Apple silicon',
  UNIX: 'Linux',
}
