/** The emergency stop: it halts every rollout, and blocks the version that does harm. */
import * as z from 'zod/mini'
import { maxReach } from './max-reach.ts'
import { data, operation } from './operation.ts'
import { VersionReach } from './reach.ts'
import { Rollout } from './rollout.ts'
import { Version, VersionId } from './version.ts'

const rollouts = { tag: 'Rollouts' } as const

const count = z.int().check(z.minimum(0))

const HaltedRollout = z.object({
  ...{ id: Rollout.shape.id, version: Rollout.shape.version, flag: Rollout.shape.flag },
  state: Rollout.shape.state,
  offered: count.check(
    z.describe('Devices that are offered the version and have not installed it'),
  ),
  installed: count.check(z.describe('Devices that have installed it, and keep it')),
})

export const HaltReach = z.object({
  reach: count.check(
    z.describe(
      'Devices that are no longer offered a version, and those that the block affects. It is an upper limit: a device can be counted twice',
    ),
  ),
  rollouts: z.array(HaltedRollout).check(z.describe('The rollouts that are running or paused')),
  block: z
    .optional(VersionReach)
    .check(z.describe('With `version`: what blocking that version changes')),
})
export type HaltReach = z.output<typeof HaltReach>

export const getHaltReach = operation({
  ...rollouts,
  name: 'getHaltReach',
  method: 'GET',
  path: '/v3/rollouts/reach',
  summary: 'Count the devices that an emergency stop would affect',
  access: 'viewer',
  query: z.strictObject({
    version: z.optional(VersionId).check(z.describe('A version to block as well')),
  }),
  reply: data(HaltReach),
  problems: ['version-unknown'],
})

export const haltRollouts = operation({
  ...rollouts,
  name: 'haltRollouts',
  method: 'POST',
  path: '/v3/rollouts/halt',
  summary: 'Emergency stop: halt all rollouts, and block a version',
  description:
    'Halts all rollouts that are running or paused, and sets `allowed` of `version` to false, or does neither. Devices that update from a blocked version to one without an allowlist do not prevent this. `maxReach` limits how many devices the block affects. A halt is never rejected: it takes nothing from a device. To go back, change the version, then resume each rollout.',
  access: 'publisher',
  query: z.strictObject(maxReach),
  body: {
    type: 'json',
    schema: z.strictObject({
      version: z.optional(VersionId).check(z.describe('The version to block')),
    }),
  },
  examples: [
    { summary: 'Halt all rollouts', body: {} },
    { summary: 'Block a version as well', body: { version: '0.0.2-example' } },
  ],
  reply: data(
    z.object({
      halted: z.array(Rollout).check(z.describe('The rollouts that this request halted')),
      version: z.optional(Version),
    }),
  ),
  problems: ['version-unknown', 'reach-exceeded', 'second-administrator', 'changed-meanwhile'],
})
