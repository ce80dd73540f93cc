/** Use by organization: uses and unique devices of a month, of each organization and each of its labels. */
import * as z from 'zod/mini'
import { data, operation, pageOf, paging } from './operation.ts'

/** A month (UTC). */
export const Month = z
  .string()
  .check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'expected a month, such as 2026-11'))

const counts = {
  uses: z.int(),
  devices: z
    .nullable(z.int())
    .check(
      z.describe(
        'Unique devices: each counts once, however often it was used. `null` if the service didn’t count them in this month',
      ),
    ),
}

const LabelUse = z.object({
  label: z.string().check(z.describe('`-` for uses without a token')),
  name: z.optional(z.string()).check(z.describe('Only of labels that exist')),
  ...counts,
})

const OrganizationUse = z.object({
  orgId: z
    .optional(z.string())
    .check(
      z.describe('Absent for labels without an organization: `-`, and those that were removed'),
    ),
  name: z.optional(z.string()),
  ...counts,
  labels: z.array(LabelUse),
})
export type OrganizationUse = z.output<typeof OrganizationUse>

const useOperation = { method: 'GET', tag: 'Counters', access: 'viewer' } as const

const description =
  'Without `month`, the current one (UTC). A device that uses labels of two organizations counts once for each of them, and once in the total. Unique devices are exact for the current and the previous month, and final for earlier ones: a use that is reported later counts as a use, but not as a device.'

const month = z.optional(Month)

export const listOrganizationUse = operation({
  ...useOperation,
  name: 'listOrganizationUse',
  path: '/v3/counters/organizations',
  summary: 'List usage and unique devices in a month by organization and label',
  description,
  query: z.strictObject({ ...paging, month }),
  reply: data(z.extend(pageOf(OrganizationUse), { month: Month, ...counts })),
  problems: [],
})

export const exportOrganizationUse = operation({
  ...useOperation,
  name: 'exportOrganizationUse',
  path: '/v3/counters/organizations.csv',
  summary: 'Export usage and unique devices in a month as a CSV file (RFC 4180)',
  description: `${description} Text that a spreadsheet would treat as a formula begins with an apostrophe.`,
  query: z.strictObject({ month }),
  reply: {
    kind: 'response',
    media: 'text/csv',
    description:
      'A header, a row with the total, then a row per organization, each followed by a row per label. `of` says which: `total`, `organization` or `label`',
  },
  problems: [],
})
