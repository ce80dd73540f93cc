/** The systems as the API spells them, and as a path does. */
import { describe, expect, test } from 'vitest'
import { Platform, PlatformSegment, platforms } from './platform.ts'

describe('PlatformSegment', () => {
  test.each([
    ['win32', 'WIN32'],
    ['win64', 'WIN64'],
    ['macos', 'MACOS'],
    ['macosarm', 'MACOSARM'],
    ['unix', 'UNIX'],
    ['WIN64', 'WIN64'],
    ['MacOS', 'MACOS'],
  ])('reads %s as %s', (segment, platform) => {
    expect(PlatformSegment.parse(segment)).toBe(platform)
  })

  test.each(['', 'windows', 'win', 'linux', 'win64 ', 'constructor', '__proto__'])(
    'refuses "%s"',
    (segment) => {
      expect(PlatformSegment.safeParse(segment).success).toBe(false)
    },
  )

  test('parses every spelling of the table', () => {
    for (const [platform, segment] of Object.entries(platforms)) {
      expect(PlatformSegment.parse(segment)).toBe(platform)
    }
  })
})

test.each(['win64', 'LINUX', 'toString', ''])('Platform refuses "%s"', (name) => {
  expect(Platform.safeParse(name).success).toBe(false)
})
