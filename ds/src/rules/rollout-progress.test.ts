/** What is noted of a device, sync by sync. */
import { expect, test } from 'vitest'
import { isFresh, isSilent, observe, type Progress, type Sighting } from './rollout-progress.ts'

const hour = 3_600_000

/** A sync: the hour, the version and the faults; in stage 1 of the rollout. */
type Sync = readonly [at: number, has: Sighting['has'], ...faults: string[]]

/** What is noted after these syncs of a device that is in this group. */
const follow = (arm: Sighting['arm'], ...syncs: readonly Sync[]) =>
  syncs.reduce<Progress | undefined>(
    (before, [at, has, ...faults]) =>
      observe(before, { arm, stage: 1, now: at * hour, has, faults }) ?? before,
    undefined,
  )

const noted = (arm: 'reached' | 'control', changes: Partial<Progress> = {}): Progress => ({
  ...{ arm, stage: 1, since: 0, faults: [], installedAt: null, outcome: null },
  ...changes,
})

test('a device that no rollout reaches or compares is not noted', () => {
  expect(follow(undefined, [0, 'earlier'])).toBeUndefined()
})

test('a device that had the version before it was offered, or a later one, is not noted', () => {
  expect(follow('reached', [0, 'same'])).toBeUndefined()
  expect(follow('reached', [0, 'later'])).toBeUndefined()
})

test.each<[string, readonly Sync[], Partial<Progress>]>([
  ['is offered it', [[0, 'earlier']], {}],
  [
    'waits',
    [
      [0, 'earlier'],
      [8, 'earlier'],
    ],
    {},
  ],
  [
    'syncs with it',
    [
      [0, 'earlier'],
      [8, 'same'],
    ],
    { installedAt: 8 * hour },
  ],
  [
    'syncs again with it',
    [
      [0, 'earlier'],
      [8, 'same'],
      [16, 'same'],
    ],
    { installedAt: 8 * hour, outcome: 'success' },
  ],
  [
    'has a new fault with it',
    [
      [0, 'earlier'],
      [8, 'same', 'card'],
    ],
    { installedAt: 8 * hour, outcome: 'fault' },
  ],
  [
    'has a new fault after it was a success',
    [
      [0, 'earlier'],
      [8, 'same'],
      [16, 'same'],
      [96, 'same', 'card'],
    ],
    { installedAt: 8 * hour, outcome: 'fault' },
  ],
  [
    'no longer has its new fault',
    [
      [0, 'earlier'],
      [8, 'same', 'card'],
      [16, 'same'],
    ],
    { installedAt: 8 * hour, outcome: 'success' },
  ],
  [
    'had another fault already',
    [
      [0, 'earlier', 'card'],
      [8, 'same', 'card', 'reader'],
    ],
    { faults: ['card'], installedAt: 8 * hour, outcome: 'fault' },
  ],
  [
    'had the fault already',
    [
      [0, 'earlier', 'card'],
      [8, 'same', 'card'],
      [16, 'same', 'card'],
    ],
    { faults: ['card'], installedAt: 8 * hour, outcome: 'success' },
  ],
  [
    'has a new fault while it waits',
    [
      [0, 'earlier'],
      [8, 'earlier', 'card'],
    ],
    { outcome: 'fault' },
  ],
  [
    'no longer has that fault, and waits',
    [
      [0, 'earlier'],
      [8, 'earlier', 'card'],
      [16, 'earlier'],
    ],
    {},
  ],
  [
    'is back after ten days with what it had',
    [
      [0, 'earlier'],
      [240, 'earlier'],
    ],
    {},
  ],
  [
    'is back after ten days with the version',
    [
      [0, 'earlier'],
      [240, 'same'],
      [248, 'same'],
    ],
    { installedAt: 240 * hour, outcome: 'success' },
  ],
  [
    'is back ten days after it got the version',
    [
      [0, 'earlier'],
      [8, 'same'],
      [248, 'same'],
    ],
    { installedAt: 8 * hour, outcome: 'success' },
  ],
  [
    'goes back',
    [
      [0, 'earlier'],
      [8, 'same'],
      [16, 'same'],
      [240, 'earlier'],
    ],
    { installedAt: 8 * hour, outcome: 'went-back' },
  ],
  [
    'goes back because of a fault',
    [
      [0, 'earlier'],
      [8, 'same', 'card'],
      [16, 'earlier'],
    ],
    { installedAt: 8 * hour, outcome: 'went-back' },
  ],
  [
    'goes back and returns to it',
    [
      [0, 'earlier'],
      [8, 'same'],
      [16, 'earlier'],
      [24, 'same'],
      [32, 'same'],
    ],
    { installedAt: 8 * hour, outcome: 'went-back' },
  ],
  [
    'gets a later version instead',
    [
      [0, 'earlier'],
      [8, 'later', 'card'],
    ],
    {},
  ],
  [
    'gets a later version after it',
    [
      [0, 'earlier'],
      [8, 'same'],
      [16, 'later', 'card'],
    ],
    { installedAt: 8 * hour },
  ],
])('a device that is reached and %s', (_, syncs, changes) => {
  expect(follow('reached', ...syncs)).toEqual(noted('reached', changes))
})

test.each<[string, readonly Sync[], Partial<Progress>]>([
  ['is seen first', [[0, 'earlier']], {}],
  [
    'syncs again',
    [
      [0, 'earlier'],
      [8, 'earlier'],
    ],
    { outcome: 'success' },
  ],
  [
    'has a new fault',
    [
      [0, 'earlier'],
      [8, 'earlier', 'card'],
    ],
    { outcome: 'fault' },
  ],
  [
    'no longer has its new fault',
    [
      [0, 'earlier'],
      [8, 'earlier', 'card'],
      [16, 'earlier'],
    ],
    { outcome: 'success' },
  ],
  [
    'gets the version in another way',
    [
      [0, 'earlier'],
      [8, 'same', 'card'],
    ],
    {},
  ],
  [
    'goes back from that',
    [
      [0, 'earlier'],
      [8, 'same'],
      [16, 'earlier'],
    ],
    { outcome: 'success' },
  ],
])('a device of the control group that %s', (_, syncs, changes) => {
  expect(follow('control', ...syncs)).toEqual(noted('control', changes))
})

test.each([
  ['control', 'control'],
  ['control', 'reached'],
] as const)(
  'in the next stage, a device that was in the group %s is noted anew in the group %s',
  (from, to) => {
    const seen = { arm: to, stage: 2, now: 20 * hour, has: 'earlier', faults: ['card'] } as const
    expect(observe(noted(from, { outcome: 'success' }), seen)).toEqual(
      noted(to, { stage: 2, since: 20 * hour, faults: ['card'] }),
    )
  },
)

test.each([
  ['has the version', { installedAt: 8 * hour, outcome: 'success' }, 'same'],
  ['waits', {}, 'earlier'],
] as const)(
  'in the next stage, a device that was reached before and %s stays as it is',
  (_, changes, has) => {
    const seen = { arm: 'reached', stage: 2, now: 20 * hour, has, faults: [] } as const
    expect(observe(noted('reached', changes), seen)).toBeUndefined()
  },
)

test.each([
  { outcome: null, hours: 120, silent: false },
  { outcome: null, hours: 120.1, silent: true },
  { outcome: 'success', hours: 120.1, silent: true },
  { outcome: 'fault', hours: 1000, silent: false },
  { outcome: 'went-back', hours: 1000, silent: false },
] as const)(
  'a device with the outcome $outcome and no sync for $hours hours is silent: $silent',
  ({ outcome, hours, silent }) => {
    expect(isSilent({ outcome }, 8 * hour, (8 + hours) * hour)).toBe(silent)
  },
)

test.each([
  { since: 0, installedAt: null, now: 120, fresh: true },
  { since: 0, installedAt: null, now: 120.1, fresh: false },
  { since: 0, installedAt: 50, now: 170, fresh: true },
  { since: 0, installedAt: 50, now: 170.1, fresh: false },
])(
  'a device reached at $since with the version since $installedAt is fresh at $now: $fresh',
  ({ since, installedAt, now, fresh }) => {
    const at = installedAt === null ? null : installedAt * hour
    expect(isFresh({ since: since * hour, installedAt: at }, now * hour)).toBe(fresh)
  },
)
