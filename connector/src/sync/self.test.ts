import { expect, test } from 'vitest'
import { platformOf } from './self.ts'

test.each([
  ['linux', 'x64', 'UNIX'],
  ['linux', 'arm64', 'UNIX'],
  ['win32', 'x64', 'WIN64'],
  ['win32', 'arm64', 'WIN64'],
  ['win32', 'ia32', 'WIN32'],
  ['darwin', 'x64', 'MACOS'],
  ['darwin', 'arm64', 'MACOSARM'],
])('%s on %s is %s', (platform, architecture, expected) => {
  expect(platformOf(platform, architecture)).toBe(expected)
})
