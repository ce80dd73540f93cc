/** Groups: devices that are alike in what rules name, such as their tags or host names. */
import * as z from 'zod/mini'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging, upserted, wholeNumber } from './operation.ts'
import { parseFlatJson } from './parse-flat-json.ts'
import { Platform } from './platform.ts'
import { Revision, revisionHeaders } from './revision.ts'
import { Tag } from './tag.ts'
import { VersionId } from './version.ts'

const groups = { tag: 'Groups' } as const

const count = z.int().check(z.minimum(0))

/** A host name with one `*`, or one at each end. */
const HostnamePattern = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(255),
    z.regex(
      /^(?:\*?[^*\p{Cc}]+\*?|[^*\p{Cc}]+\*[^*\p{Cc}]+)$/u,
      'expected a host name with one *, such as pc-*, or one at each end, such as *desk*',
    ),
  )

/** The most values of one condition. */
const maxValues = 20

const listOf = <T extends z.core.$ZodType>(schema: T) =>
  z.optional(z.array(schema).check(z.minLength(1), z.maxLength(maxValues)))

export const GroupRule = z
  .strictObject({
    tags: listOf(Tag).check(z.describe('Tags that administrators gave')),
    reportedTags: listOf(Tag).check(
      z.describe('Tags that devices report; a device can report any tag'),
    ),
    hostnames: listOf(HostnamePattern).check(
      z.describe('Host names (case-insensitive for ASCII letters); `*` stands for any text'),
    ),
    platforms: listOf(Platform),
    versions: listOf(VersionId),
  })
  .check(
    z.refine(
      (rule) => Object.values(rule).some((values) => values !== undefined),
      'expected at least one condition',
    ),
    z.describe('A device matches if it has one of the values of each condition'),
  )
export type GroupRule = z.output<typeof GroupRule>

/** The most groups: each sync looks at all of them. */
export const maxGroups = 100

const maxPriority = 1000

/** Of rules in a query, in characters. */
const maxQueryLength = 8192

/** Text that is not JSON stays text, which is no list of rules. */
function readJson(text: string): unknown {
  try {
    return parseFlatJson(text)
  } catch {
    return text
  }
}

/** The most values of all rules together: each is compared with all devices, and D1 takes 100 parameters. */
export const maxGroupValues = 40

const countValues = (rule: GroupRule): number =>
  Object.values(rule).reduce((sum, values) => sum + (values?.length ?? 0), 0)

const GroupRules = z.array(GroupRule).check(
  z.minLength(1),
  z.maxLength(10),
  z.refine(
    (rules) => rules.reduce((sum, rule) => sum + countValues(rule), 0) <= maxGroupValues,
    `expected at most ${maxGroupValues} values in all rules; give the devices a tag instead`,
  ),
  z.describe('A device that matches at least one rule is in the group'),
)

export const GroupInput = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  rules: GroupRules,
  priority: z
    ._default(z.int().check(z.minimum(0), z.maximum(maxPriority)), 0)
    .check(
      z.describe(
        'A device in several groups gets the configuration of the group with the highest priority; among equals, of the one that was created first',
      ),
    ),
})
export type GroupInput = z.output<typeof GroupInput>

/** What refers to a group. */
const GroupUses = z.object({
  configurations: z.array(z.object({ id: z.uuid(), versionId: z.string(), type: z.string() })),
  rollouts: z
    .array(z.object({ id: z.uuid(), version: z.string() }))
    .check(z.describe('Those that are not finished')),
})

export const Group = z.object({
  id: z.uuid(),
  ...GroupInput.shape,
  priority: z.int(),
  revision: Revision,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Group = z.output<typeof Group>

/** A group with what depends on the devices and on other things. */
export const GroupDetails = z.extend(Group, {
  devices: count.check(z.describe('Devices that match its rules and are not blocked')),
  uses: GroupUses,
})
export type GroupDetails = z.output<typeof GroupDetails>

const params = z.object({ id: z.uuid() })

const exampleId = '0b9d6c1e-7f5e-4a54-9a39-3a7a3b1f6c02'
const example = {
  name: 'Front desks in Berlin',
  rules: [{ tags: ['berlin'], hostnames: ['front-desk-*'] }],
  priority: 10,
}
const exampleParams = { id: { operation: 'putGroup', pointer: '/data/id' } } as const

export const putGroup = operation({
  ...groups,
  name: 'putGroup',
  method: 'PUT',
  path: '/v3/groups/{id}',
  summary: 'Create or change a group of devices',
  description:
    'Choose a new UUID as `id`. A group has no list of devices: each sync checks whether the device matches its rules.',
  access: 'publisher',
  params,
  query: z.strictObject(maxReach),
  headers: revisionHeaders,
  body: { type: 'json', schema: GroupInput },
  examples: [{ summary: 'By tag and host name', params: { id: exampleId }, body: example }],
  reply: upserted(Group),
  entityTag: true,
  problems: [
    'group-taken',
    'group-limit',
    'group-untrusted',
    'reach-exceeded',
    'revision-mismatch',
  ],
})

export const listGroups = operation({
  ...groups,
  name: 'listGroups',
  method: 'GET',
  path: '/v3/groups',
  summary: 'List the groups, highest priority first',
  access: 'viewer',
  query: z.strictObject(paging),
  reply: data(pageOf(Group)),
  problems: [],
})

export const getGroup = operation({
  ...groups,
  name: 'getGroup',
  method: 'GET',
  path: '/v3/groups/{id}',
  summary: 'Get a group, with the number of its devices and what refers to it',
  access: 'viewer',
  params,
  examples: [{ summary: 'One group', params: exampleParams }],
  reply: data(GroupDetails),
  entityTag: true,
  problems: ['group-unknown'],
})

export const GroupReach = z.object({
  devices: count.check(z.describe('Devices that match the rules and are not blocked')),
  reach: count.check(
    z.describe(
      'Devices for which something changes: if the group is in use, those that enter or leave it, or all of them with another priority',
    ),
  ),
  isLarge: z.boolean(),
})
export type GroupReach = z.output<typeof GroupReach>

export const getGroupReach = operation({
  ...groups,
  name: 'getGroupReach',
  method: 'GET',
  path: '/v3/groups/{id}/reach',
  summary: 'Count the devices that a group would have, before you save it',
  access: 'viewer',
  params,
  query: z.strictObject({
    rules: z
      .pipe(
        z.string().check(z.maxLength(maxQueryLength)),
        z.pipe(z.transform(readJson), GroupRules),
      )
      .check(z.describe(`As JSON, of at most ${maxQueryLength} characters`)),
    priority: z.optional(wholeNumber(maxPriority, 0)).check(z.describe('Default: the saved one')),
  }),
  examples: [
    {
      summary: 'Before it is created',
      params: { id: exampleId },
      query: { rules: JSON.stringify(example.rules) },
    },
  ],
  reply: data(GroupReach),
  problems: [],
})

export const deleteGroup = operation({
  ...groups,
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/v3/groups/{id}',
  summary: 'Remove a group that nothing refers to',
  access: 'publisher',
  params,
  headers: revisionHeaders,
  examples: [{ summary: 'One group', params: exampleParams }],
  reply: data(z.object({ id: z.uuid() })),
  problems: ['group-unknown', 'group-in-use', 'revision-mismatch'],
})

/** A group that a device is in, and why. */
export const MatchedGroup = z.object({
  id: z.uuid(),
  name: z.string(),
  rule: GroupRule.check(z.describe('The first rule that the device matches')),
})
export type MatchedGroup = z.output<typeof MatchedGroup>
