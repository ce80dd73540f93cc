/** Changes of many devices: all those that a filter finds, in steps, after a count. */
import * as z from 'zod/mini'
import { Actor } from './audit.ts'
import { deviceFilter } from './device.ts'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging } from './operation.ts'
import { Platform } from './platform.ts'
import { maxChangedTags, maxTags, Tag } from './tag.ts'

const devices = { tag: 'Devices' } as const

/** What is done with each device that a filter finds. */
export const DeviceChange = z.enum([
  ...(['approve', 'block', 'unblock', 'sync', 'remove'] as const),
  ...(['addTags', 'removeTags', 'restoreTags', 'importTags'] as const),
])
export type DeviceChange = z.output<typeof DeviceChange>

/** Whether a change needs to be told which tags. */
export const namesTags = (change: DeviceChange): boolean =>
  change === 'addTags' || change === 'removeTags'

const Tags = z.array(Tag).check(z.minLength(1), z.maxLength(maxChangedTags))

const aboutTags = z.describe(
  'The tags to add or to remove; only with `addTags` and `removeTags`, which require them',
)

const count = z.int().check(z.minimum(0))

/** More devices than these are only counted, of those that cannot take more tags. */
export const maxRefusedDevices = 20

/** What a change of tags does besides. */
export const TagReach = z.object({
  refused: z
    .object({
      count,
      devices: z.array(z.object({ id: z.uuid(), hostname: z.optional(z.string()) })),
    })
    .check(
      z.describe(
        `Devices that keep their tags, because they would have more than ${maxTags}. The first ${maxRefusedDevices} are listed`,
      ),
    ),
  groups: z
    .array(
      z.object({
        ...{ id: z.uuid(), name: z.string() },
        ...{ entering: z.optional(count), leaving: z.optional(count) },
      }),
    )
    .check(
      z.describe(
        'Groups that devices enter or leave because of the change, excluding blocked devices. Without numbers: there are too many devices and values to compare, so that the group may not change',
      ),
    ),
})

/** More groups of devices than these are only counted. */
export const maxReachedGroups = 100

export const DeviceReach = z.object({
  reach: count.check(z.describe('Devices that the change would affect')),
  isLarge: z
    .boolean()
    .check(
      z.describe(
        'Whether this is more than the share of all devices in `DS_REVIEW_SHARE`. Pages then ask you to type the number before they make the change',
      ),
    ),
  groups: z
    .array(z.object({ version: z.string(), platform: Platform, count }))
    .check(
      z.describe(`The ${maxReachedGroups} most frequent combinations of version and platform`),
    ),
  changedSince: count.check(
    z.describe(
      'If the change undoes another one (`changedBy`): devices that were changed again later, and keep their later state',
    ),
  ),
  tagged: z.optional(TagReach).check(z.describe('Only with a change of tags')),
})
export type DeviceReach = z.output<typeof DeviceReach>

export const getDeviceReach = operation({
  ...devices,
  access: 'viewer',
  name: 'getDeviceReach',
  method: 'GET',
  path: '/v3/devices/reach',
  summary: 'Count the devices that a change to many devices would affect',
  query: z.strictObject({
    ...deviceFilter,
    change: z._default(DeviceChange, 'block'),
    tags: z
      .optional(
        z.pipe(
          z.string(),
          z.pipe(
            z.transform((text: string) => text.split(',')),
            Tags,
          ),
        ),
      )
      .check(z.describe('With commas between them')),
  }),
  reply: data(DeviceReach),
  problems: [],
})

/** So many devices are changed by one request at most: others wait meanwhile. */
export const devicesPerChange = 500

/** A change of many devices, as far as it is. */
export const ManyDeviceChange = z.object({
  id: z.uuid(),
  change: DeviceChange,
  filter: z
    .string()
    .check(z.describe('The filter as a query, such as `version=4.0.0`. Empty: all devices')),
  reach: count.check(z.describe('How many devices it changes, counted at its first request')),
  done: count.check(z.describe('Devices changed so far, by all requests with this ID')),
  changedSince: count.check(
    z.describe(
      'How many of these were later changed or removed in a way that overrides this change',
    ),
  ),
  tags: z.optional(z.array(Tag)).check(z.describe('With `addTags` and `removeTags`')),
  refused: z
    .optional(count)
    .check(
      z.describe(
        `With \`addTags\`: devices that keep their tags, because they would have more than ${maxTags}, counted at its first request`,
      ),
    ),
  finished: z
    .boolean()
    .check(z.describe('If not, the same request continues it: `PUT /v3/device-changes/{id}`')),
  at: z.iso.datetime().check(z.describe('The time of the first request')),
  who: Actor,
})
export type ManyDeviceChange = z.output<typeof ManyDeviceChange>

const idParams = z.object({ id: z.uuid() })

/** How long the service keeps a change, so that its devices can be found and changed back. */
export const changeKeptDays = 30

export const listDeviceChanges = operation({
  ...devices,
  access: 'viewer',
  name: 'listDeviceChanges',
  method: 'GET',
  path: '/v3/device-changes',
  summary: `List the changes to many devices from the last ${changeKeptDays} days, newest first`,
  query: z.strictObject(paging),
  reply: data(pageOf(ManyDeviceChange)),
  problems: [],
})

export const getDeviceChange = operation({
  ...devices,
  access: 'viewer',
  name: 'getDeviceChange',
  method: 'GET',
  path: '/v3/device-changes/{id}',
  summary: 'Get a change to many devices',
  params: idParams,
  examples: [
    {
      summary: 'The last one',
      params: { id: { operation: 'changeDevices', pointer: '/data/id' } },
    },
  ],
  reply: data(ManyDeviceChange),
  problems: ['change-unknown'],
})

export const changeDevices = operation({
  ...devices,
  access: 'administrator',
  name: 'changeDevices',
  method: 'PUT',
  path: '/v3/device-changes/{id}',
  summary:
    'Approve, block, unblock, tag or remove the devices that match a filter, or ask them to sync',
  description: `Choose a new UUID as \`id\`, and send the same request until \`finished\` is true. Each request changes at most ${devicesPerChange} devices. The first one sets the limit to \`maxReach\`, which is 0 if it is absent, and is rejected if more devices match. All requests with this \`id\` together stay within it, however often they are sent. Without a filter, all devices match. The service keeps a change for ${changeKeptDays} days. Until then, \`changedBy\` finds its devices, for example to unblock those that it blocked. Devices that were blocked, unblocked or tagged again later keep their later state. For \`importTags\`, see \`putTagImport\`. To give the devices of another change exactly the tags that they had before it, send \`restoreTags\` with its ID as \`changedBy\`. With \`sync\`, devices that wait for news sync within a minute, and all others at their next cycle.`,
  params: idParams,
  query: z.strictObject({ ...deviceFilter, ...maxReach }),
  body: {
    type: 'json',
    schema: z.strictObject({ change: DeviceChange, tags: z.optional(Tags).check(aboutTags) }),
  },
  examples: [
    {
      summary: 'Unblock devices by their names',
      params: { id: '6f9a3c5e-5d0c-4b62-9e0a-3f4d1c2b7a10' },
      query: { hostname: 'front-desk-7', maxReach: '1' },
      body: { change: 'unblock' },
    },
  ],
  reply: data(ManyDeviceChange),
  problems: ['reach-exceeded', 'change-taken', 'change-unknown'],
})
