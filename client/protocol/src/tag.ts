/** Tags of devices. */
import * as z from 'zod/mini'

export const Tag = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9._:-]{0,63}$/,
      'expected 1 to 64 lowercase letters, digits, or . _ : -, and a letter or digit first',
    ),
  )
export type Tag = z.output<typeof Tag>

/** The most that an administrator gives to a device, and that a device reports. */
export const [maxTags, maxReportedTags] = [32, 16]

/** The most that one change of many devices adds or removes. */
export const maxChangedTags = 10
