/** What goes wrong in one seed: each seed has some kinds of faults and not others, each at a rate of its own. */
import type { SeededRandom } from '../bed/random.ts'

/** Shares from 0 to 1, unless a unit is in the name. */
export interface FaultRates {
  /** Of messages, in each direction. */
  readonly lost: number
  readonly doubled: number
  readonly late: number
  /** Of requests that something between answers, and of replies that are another device's. */
  readonly answeredByProxy: number
  readonly swapped: number
  /** Of writes. */
  readonly connectorDiesAtWrite: number
  readonly connectorDiskRefuses: number
  readonly serviceDiesAtWrite: number
  readonly serviceDiskRefuses: number
  /** How often in a run of a seed each comes about. */
  readonly connectorKills: number
  readonly serviceKills: number
  readonly fullDisks: number
  readonly partitions: number
  readonly deviceClockJumps: number
  readonly serviceClockJumps: number
  readonly replyKeyRotations: number
  readonly replyKeyWithdrawals: number
  readonly tokenKeyRotations: number
  readonly tokenKeyWithdrawals: number
  readonly installationKeyRotations: number
  readonly blocks: number
  readonly deletions: number
  readonly policyChanges: number
  readonly versionChanges: number
  readonly restores: number
  /** What administrators do with rollouts. */
  readonly rolloutChanges: number
}

/** The most of each; a seed that has a kind of fault has between a tenth and all of it. */
const most: FaultRates = {
  lost: 0.2,
  doubled: 0.2,
  late: 0.2,
  answeredByProxy: 0.1,
  swapped: 0.1,
  connectorDiesAtWrite: 0.05,
  connectorDiskRefuses: 0.1,
  serviceDiesAtWrite: 0.005,
  serviceDiskRefuses: 0.05,
  connectorKills: 40,
  serviceKills: 3,
  fullDisks: 3,
  partitions: 4,
  deviceClockJumps: 30,
  serviceClockJumps: 3,
  replyKeyRotations: 6,
  replyKeyWithdrawals: 8,
  tokenKeyRotations: 4,
  tokenKeyWithdrawals: 3,
  installationKeyRotations: 2,
  blocks: 15,
  deletions: 10,
  policyChanges: 12,
  versionChanges: 4,
  restores: 2,
  rolloutChanges: 40,
}

export function drawFaultRates(random: SeededRandom): FaultRates {
  const drawn = Object.entries(most).map(([kind, rate]) => {
    const isOn = random.chance(0.5)
    const share = 0.1 + random.next() * 0.9
    return [kind, isOn ? rate * share : 0]
  })
  return Object.fromEntries(drawn)
}

export const noFaults = Object.fromEntries(
  Object.keys(most).map((kind) => [kind, 0]),
) as unknown as FaultRates
