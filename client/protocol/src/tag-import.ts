/** Tags of many devices from a CSV file: what it would change is counted first, and changed after that. */
import * as z from 'zod/mini'
import { TagReach } from './device-change.ts'
import { data, operation } from './operation.ts'

const devices = { tag: 'Devices', access: 'administrator' } as const

/** The largest file, in bytes, and its most rows. */
export const [maxImportBytes, maxImportRows] = [64_000_000, 100_000]

/** So many files are kept. */
export const maxImports = 10

/** Of what an import cannot use, no more are listed. */
export const maxListedRows = 20

const count = z.int().check(z.minimum(0))

const named = z.object({ count, names: z.array(z.string()) })

/** Why a row is left out. */
export const RowFault = z.enum(['cells', 'device', 'tags', 'too-many', 'repeated'])
export type RowFault = z.output<typeof RowFault>

export const TagImport = z.object({
  id: z.uuid(),
  rows: count.check(z.describe('Rows of the file, without the first one')),
  reach: count.check(z.describe('Devices whose tags would change')),
  isLarge: z.boolean().check(z.describe('As in `getDeviceReach`')),
  unchanged: count.check(z.describe('Devices that have these tags already')),
  changes: z
    .array(z.object({ added: count, removed: count, devices: count }))
    .check(
      z.describe(
        `How many tags devices get and lose, the most frequent first. The first ${maxListedRows} are listed`,
      ),
    ),
  groups: TagReach.shape.groups,
  unknown: named.check(
    z.describe(
      `IDs that no device has, and host names that no approved device has. The first ${maxListedRows} are listed`,
    ),
  ),
  ambiguous: named.check(
    z.describe(`Host names of several devices. The first ${maxListedRows} are listed`),
  ),
  faults: z
    .object({ count, rows: z.array(z.object({ line: count, fault: RowFault })) })
    .check(
      z.describe(
        `Rows that are left out. \`cells\`: it is too short. \`device\`: no device matches it. \`tags\`: it has an invalid tag. \`too-many\`: it has too many tags. \`repeated\`: the device is in an earlier row. The first ${maxListedRows} are listed`,
      ),
    ),
})
export type TagImport = z.output<typeof TagImport>

const params = z.object({ id: z.uuid() })

export const putTagImport = operation({
  ...devices,
  name: 'putTagImport',
  method: 'PUT',
  path: '/v3/tag-imports/{id}',
  summary: 'Read tags of devices from a CSV file, and count what they would change',
  description: `Choose a new UUID as \`id\`. The first line has the names of the columns, as \`exportDevices\` writes them: \`tags\`, and \`id\` or \`hostname\`. All other columns are ignored. If a row has an ID, its host name is ignored. A host name finds only approved devices, because a new device can report any name. The tags are in one cell, separated by spaces, and replace those that the device has. Columns are separated by commas, semicolons or tabs. The file has at most ${maxImportBytes / 1_000_000} MB and ${maxImportRows} rows. Nothing is changed yet. To apply the file, send \`importTags\` with the same \`id\` to \`changeDevices\` within a day. Devices whose tags were changed in the meantime keep their later state. The service keeps ${maxImports} files: the oldest that is not being applied is removed.`,
  params,
  body: { type: 'stream', media: ['text/csv'] },
  examples: [
    {
      summary: 'One device',
      params: { id: '2d0c7c3e-93d8-4f0b-8f7e-5a4c1be0f6a1' },
      body: 'hostname,tags\nfront-desk-7,berlin kiosk\n',
    },
  ],
  reply: data(TagImport),
  problems: ['change-taken', 'too-many-requests'],
})

export const getTagImport = operation({
  ...devices,
  name: 'getTagImport',
  method: 'GET',
  path: '/v3/tag-imports/{id}',
  summary: 'Get the result of reading a CSV file with tags',
  params,
  examples: [
    {
      summary: 'The last one',
      params: { id: { operation: 'putTagImport', pointer: '/data/id' } },
    },
  ],
  reply: data(TagImport),
  problems: ['change-unknown'],
})
