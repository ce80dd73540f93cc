/** Counts what is noted of the devices, as the service does with SQL. */
import type { Progress } from '../../../ds/src/rules/rollout-progress.ts'
import type { Counts } from '../../../ds/src/rules/sequential-test.ts'
import type { Rules } from './rules.ts'

export interface Noted {
  readonly progress: Progress | undefined
  /** Hours. */
  readonly syncedAt: number
}

type Sums = { -readonly [Key in keyof Counts]: Counts[Key] }
const createSums = (): Sums => ({ devices: 0, installed: 0, successes: 0, failures: 0, silent: 0 })

/** Devices that synced in so many hours count as those that a stage can reach. */
const activeHours = 7 * 24
export const hourMs = 3_600_000

export function countDevices(devices: readonly Noted[], stage: number, hour: number, rules: Rules) {
  const [reached, reachedInStage, control] = [createSums(), createSums(), createSums()]
  let [active, fresh] = [0, 0]
  for (const { progress, syncedAt } of devices) {
    if (hour - syncedAt <= activeHours) active += 1
    if (!progress) continue
    const isReached = progress.arm === 'reached'
    const isOfStage = progress.stage === stage
    const isSilent = rules.isSilent(progress, syncedAt * hourMs, hour * hourMs)
    if (isReached) add(reached, progress, isSilent)
    if (isOfStage) add(isReached ? reachedInStage : control, progress, isSilent)
    if (isReached && rules.isFresh(progress, hour * hourMs)) fresh += 1
  }
  return { groups: { reached, reachedInStage, control }, active, fresh }
}

function add(sums: Sums, { outcome, installedAt }: Progress, isSilent: boolean): void {
  sums.devices += 1
  if (installedAt !== null) sums.installed += 1
  if (outcome === 'success') sums.successes += 1
  else if (outcome !== null) sums.failures += 1
  if (isSilent) sums.silent += 1
}
