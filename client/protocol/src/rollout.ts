/** Rollouts: a version reaches a growing share of the devices, and is halted if it fails on too many of them. */
import * as z from 'zod/mini'
import { Actor } from './audit.ts'
import { maxReach } from './max-reach.ts'
import { data, operation, pageOf, paging, upserted } from './operation.ts'
import { Revision, revisionHeaders } from './revision.ts'
import { VersionId, versionChange } from './version.ts'

const rollouts = { tag: 'Rollouts' } as const

const count = z.int().check(z.minimum(0))

/** Seconds that a stage may last at most: a year. */
const maxHoldS = 365 * 86_400

const Stage = z.strictObject({
  share: z
    .number()
    .check(
      z.gt(0),
      z.maximum(100),
      z.describe('Percentage of all devices, or of the group, that this stage reaches'),
    ),
  group: z
    .optional(z.uuid())
    .check(z.describe('Only devices of this group; such stages come first')),
  holdS: z
    .int()
    .check(
      z.minimum(60),
      z.maximum(maxHoldS),
      z.describe(
        'Minimum number of seconds before the next stage begins. After the last stage, the rollout finishes',
      ),
    ),
})

/** How many stages a rollout has at most. */
const maxStages = 10

const Stages = z.array(Stage).check(
  z.minLength(1),
  z.maxLength(maxStages),
  z.refine(
    (stages) =>
      stages.every(({ share, group }, at) => {
        const before = stages.slice(0, at).findLast((one) => one.group === group)
        return before === undefined || share > before.share
      }),
    'expected each share to be larger than the one before',
  ),
  z.refine(
    (stages) =>
      stages.every(
        ({ group }, at) => group === undefined || at === 0 || stages[at - 1]?.group !== undefined,
      ),
    'expected the stages with a group first',
  ),
  z.refine(
    (stages) => stages.at(-1)?.share === 100 && stages.at(-1)?.group === undefined,
    'expected 100 as the last share, without a group',
  ),
)

/** A percentage of failing devices. */
const Rate = z.number().check(z.minimum(0.1), z.maximum(90))

export const RolloutInput = z.strictObject({
  version: VersionId.check(
    z.describe('An allowed version that is neither recommended nor mandatory'),
  ),
  flag: z
    .enum(['recommended', 'mandatory'])
    .check(
      z.describe(
        'Whether the version is recommended or mandatory: for the devices that are reached, and in the end for all',
      ),
    ),
  stages: Stages,
  goodRate: z
    ._default(Rate, 1)
    .check(z.describe('Percentage of devices on which a good version may fail')),
  badRate: z
    ._default(Rate, 4)
    .check(
      z.describe(
        'Percentage of failing devices at which the rollout has to be halted; larger than `goodRate`',
      ),
    ),
})
export type RolloutInput = z.output<typeof RolloutInput>

export const RolloutState = z
  .enum(['draft', 'running', 'paused', 'halted', 'finished'])
  .check(
    z.describe(
      '`draft`: no device gets the version. `running`: stages follow one another. `paused`: the rollout stays in its current stage. `halted`: the version is no longer offered. `finished`: the version has the flag, for all devices',
    ),
  )
export type RolloutState = z.output<typeof RolloutState>

export const RolloutCounts = z.object({
  devices: count.check(z.describe('Devices counted here so far')),
  installed: count.check(z.describe('Devices that synced with the version')),
  successes: count.check(z.describe('Devices that synced again without a new fault')),
  faults: count.check(z.describe('Devices with a new kind of fault')),
  wentBack: count.check(z.describe('Devices that went back to an earlier version')),
  silent: count.check(z.describe('Devices that have not synced for five days')),
})

/** Why a rollout was halted. */
const Halt = z.object({
  at: z.iso.datetime(),
  who: Actor,
  ratio: z.optional(
    z.number().check(z.describe('If the service halted it: the ratio of the test')),
  ),
  failures: z.optional(z.number()),
  tested: z.optional(z.number()),
})

export const Rollout = z.object({
  id: z.uuid(),
  version: z.string(),
  flag: z.enum(['recommended', 'mandatory']),
  state: RolloutState,
  stages: z.array(z.object({ share: z.number(), holdS: z.int(), group: z.optional(z.uuid()) })),
  stage: z.int().check(z.describe('Index of the current stage in `stages`, starting at 0')),
  stageAt: z.optional(z.iso.datetime()).check(z.describe('When the current stage began')),
  goodRate: z.number(),
  badRate: z.number(),
  halt: z.optional(Halt),
  revision: Revision,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Rollout = z.output<typeof Rollout>

/** What is known of a rollout's devices. */
export const RolloutEvidence = z.object({
  reached: RolloutCounts.check(z.describe('Devices that were offered the version')),
  control: RolloutCounts.check(
    z.describe('The comparison group: devices that are not offered the version'),
  ),
  test: z
    .object({
      ratio: z.number(),
      halt: z.number().check(z.describe('From this ratio on, the rollout is halted')),
      accept: z.number().check(z.describe('Up to this ratio, the version counts as good')),
      failures: z.number(),
      tested: z.number(),
    })
    .check(z.describe('The sequential probability ratio test')),
})
export type RolloutEvidence = z.output<typeof RolloutEvidence>

/** The most hours in a reply. */
const maxHours = 450

export const RolloutHour = z.object({
  at: z.iso.datetime().check(z.describe('When the hour began')),
  offered: count.check(z.describe('Devices that were offered the version so far')),
  installed: count.check(z.describe('Those that synced with the version')),
  successes: count.check(z.describe('Those that synced again without a new fault')),
  failures: count.check(
    z.describe('Those with a new kind of fault, or that went back to an earlier version'),
  ),
  silent: count.check(z.describe('Those that have not synced for five days')),
  ratio: z.number().check(z.describe('The ratio of the test')),
})
export type RolloutHour = z.output<typeof RolloutHour>

export const RolloutHours = z.object({
  hours: z
    .array(RolloutHour)
    .check(
      z.maxLength(maxHours),
      z.describe(
        `The last counts of each hour for the past 48 hours, and of each day (UTC) before that. Hours in which no device synced are missing. Oldest first, at most ${maxHours}`,
      ),
    ),
  halt: z.number().check(z.describe('From this ratio on, the rollout is halted')),
  accept: z.number().check(z.describe('Up to this ratio, the version counts as good')),
})
export type RolloutHours = z.output<typeof RolloutHours>

const params = z.object({ id: z.uuid() })

const example = {
  version: '0.0.2-example',
  flag: 'recommended',
  stages: [
    { share: 1, holdS: 172_800 },
    { share: 10, holdS: 172_800 },
    { share: 100, holdS: 86_400 },
  ],
} as const

const exampleId = '3c2f4a3e-1f0b-4c55-8f6e-2f8f5f0a9d11'

export const putRollout = operation({
  ...rollouts,
  name: 'putRollout',
  method: 'PUT',
  path: '/v3/rollouts/{id}',
  summary: 'Create a rollout, or change one that has not started',
  description:
    'Choose a new UUID as `id`. A new rollout is a draft. From then on, no device updates to its version, except those that the rollout reaches, until it finishes or is removed.',
  access: 'publisher',
  params,
  query: z.strictObject(maxReach),
  headers: revisionHeaders,
  body: { type: 'json', schema: RolloutInput },
  examples: [
    {
      summary: 'One percent first',
      params: { id: exampleId },
      body: example,
    },
  ],
  reply: upserted(Rollout),
  entityTag: true,
  problems: [
    'version-unknown',
    'rollout-taken',
    'rollout-started',
    'version-unsuitable',
    'group-unknown',
    'reach-exceeded',
    'second-administrator',
    'approval-unknown',
    'approval-limit',
    'revision-mismatch',
  ],
})

export const listRollouts = operation({
  ...rollouts,
  name: 'listRollouts',
  method: 'GET',
  path: '/v3/rollouts',
  summary: 'List the rollouts, newest first',
  access: 'viewer',
  query: z.strictObject(paging),
  reply: data(pageOf(Rollout)),
  problems: [],
})

const exampleParams = { id: { operation: 'putRollout', pointer: '/data/id' } } as const

export const getRollout = operation({
  ...rollouts,
  name: 'getRollout',
  method: 'GET',
  path: '/v3/rollouts/{id}',
  summary: 'Get a rollout, with what is known of its devices',
  access: 'viewer',
  params,
  examples: [{ summary: 'One rollout', params: exampleParams }],
  reply: data(z.extend(Rollout, { evidence: RolloutEvidence })),
  entityTag: true,
  problems: ['rollout-unknown'],
})

export const getRolloutHours = operation({
  ...rollouts,
  name: 'getRolloutHours',
  method: 'GET',
  path: '/v3/rollouts/{id}/hours',
  summary: 'Get the history of a rollout, by hour',
  description:
    'What was known of its devices in each hour. It starts over when a halted rollout is resumed.',
  access: 'viewer',
  params,
  examples: [{ summary: 'One rollout', params: exampleParams }],
  reply: data(RolloutHours),
  problems: ['rollout-unknown'],
})

/** What an administrator does with a rollout; the service halts and finishes it, too. */
export const RolloutChange = z.enum(['running', 'paused', 'halted', 'finished'])
export type RolloutChange = z.output<typeof RolloutChange>

export const RolloutReach = z.object({
  reach: count.check(
    z.describe(
      '`running`: devices that its stages reach one after another. `finished`: those that get the version immediately. `paused` and `halted`: none, because devices keep what they have',
    ),
  ),
  first: count.check(z.describe('`running`: about how many of them the current stage reaches')),
  isLarge: z.boolean(),
})
export type RolloutReach = z.output<typeof RolloutReach>

export const getRolloutReach = operation({
  ...rollouts,
  name: 'getRolloutReach',
  method: 'GET',
  path: '/v3/rollouts/{id}/reach',
  summary: 'Count the devices that a rollout would reach in another state',
  access: 'viewer',
  params,
  query: z.strictObject({ state: z._default(RolloutChange, 'running') }),
  examples: [{ summary: 'Before it starts', params: exampleParams }],
  reply: data(RolloutReach),
  problems: ['rollout-unknown'],
})

export const changeRollout = operation({
  ...rollouts,
  name: 'changeRollout',
  method: 'PUT',
  path: '/v3/rollouts/{id}/state',
  summary: 'Start, pause, resume, halt or finish a rollout',
  description:
    '`running` starts a draft, and resumes a rollout that was paused or halted. `finished` gives the version its flag immediately, without the remaining stages. A finished rollout stays finished: to go back, change the version.',
  access: 'publisher',
  params,
  query: z.strictObject(versionChange),
  headers: revisionHeaders,
  body: { type: 'json', schema: z.strictObject({ state: RolloutChange }) },
  examples: [
    {
      summary: 'Start it',
      params: exampleParams,
      body: { state: 'running' },
    },
    {
      summary: 'Halt it',
      params: exampleParams,
      body: { state: 'halted' },
    },
  ],
  reply: data(Rollout),
  entityTag: true,
  problems: [
    'rollout-unknown',
    'rollout-state',
    'version-unsuitable',
    'installers-missing',
    'allowlist-missing',
    'reach-exceeded',
    'second-administrator',
    'approval-unknown',
    'approval-limit',
    'revision-mismatch',
  ],
})

export const deleteRollout = operation({
  ...rollouts,
  name: 'deleteRollout',
  method: 'DELETE',
  path: '/v3/rollouts/{id}',
  summary: 'Remove a rollout that has not started, or was halted',
  description:
    'Its version is then a version like any other. Devices that have to update may get it at once, if it is the latest.',
  access: 'publisher',
  params,
  query: z.strictObject(maxReach),
  headers: revisionHeaders,
  examples: [{ summary: 'One rollout', params: exampleParams }],
  reply: data(z.object({ id: z.uuid() })),
  problems: [
    'rollout-unknown',
    'rollout-state',
    'reach-exceeded',
    'second-administrator',
    'approval-unknown',
    'approval-limit',
    'revision-mismatch',
  ],
})
