/** The operating systems that installers are made for. */
import * as z from 'zod/mini'

/** The systems as the API spells them, and as download paths do. MACOS is Intel, MACOSARM is Apple silicon. */
export const platforms = {
  WIN32: 'win32',
  WIN64: 'win64',
  MACOS: 'macos',
  MACOSARM: 'macosarm',
  UNIX: 'unix',
} as const

export type Platform = keyof typeof platforms
export const Platform = z.enum(Object.keys(platforms) as [Platform, ...Platform[]])

/** The system in a path segment (case-insensitive). */
export const PlatformSegment = z.pipe(
  z.string().check(z.toLowerCase(), z.describe('One of win32, win64, macos, macosarm, unix')),
  z.pipe(
    z.enum(platforms),
    z.transform((segment) => segment.toUpperCase() as Platform),
  ),
)
