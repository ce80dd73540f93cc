/** What happens in the hours, and when. */

import type { SeededRandom } from '../../bed/random.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { ClockRunner } from './clock-runner.ts'
import type { Machine } from './fleet.ts'
import type { Pages } from './pages.ts'
import type { Rotations } from './rotations.ts'
import type { SetUp } from './set-up.ts'

interface PlanParts {
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly runner: ClockRunner
  readonly machines: readonly Machine[]
  readonly pages: Pages
  readonly keys: Rotations
  readonly setup: SetUp
  readonly lastedMs: number
  /** Between two visits, on average. */
  readonly visitMs: number
}

export const cycleMs = 300_000
/** Longer than a token lives, and than two cycles. */
export const keyOverlapMs = 1_500_000

const hourMs = 3_600_000
/** Of each use the first rotation, and the time between two. */
const firstRotations = { reply: 300_000, application: 480_000 } as const
const rotationMs = 2_400_000
/** What a key needs until everybody has seen it sign. */
const settledMs = keyOverlapMs + 1.1 * cycleMs + 60_000

/** Returns how many rotations there will be. */
export function planHours(parts: PlanParts): { readonly reply: number; application: number } {
  const { queue, random, runner, machines, pages, keys, setup, lastedMs, visitMs } = parts
  const endAt = queue.now() + lastedMs
  const plan = (ms: number, act: () => Promise<unknown>) =>
    queue.after(ms, () => runner.begin(act()))

  for (const machine of machines) plan(random.integer(0, cycleMs / 2), machine.start)

  const planVisit = (ms: number) =>
    queue.after(ms, () => {
      if (queue.now() > endAt) return
      planVisit(random.integer(0, 2 * visitMs))
      runner.begin(pages.visit())
    })
  planVisit(cycleMs)

  const planned = { reply: 0, application: 0 }
  for (const use of ['reply', 'application'] as const) {
    for (let at = firstRotations[use]; at + settledMs < lastedMs; at += rotationMs) {
      planned[use] += 1
      plan(at, () => keys.rotate(use))
    }
  }
  for (let at = hourMs / 4; at < lastedMs; at += hourMs) {
    plan(at, setup.changePolicy)
    plan(at, setup.download)
  }
  return planned
}
