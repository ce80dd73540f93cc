/** Everything of one seed. */

import type { SeededRandom } from '../bed/random.ts'
import type { Administrators } from './administrators.ts'
import type { EventQueue } from './event-queue.ts'
import type { FaultRates } from './faults.ts'
import type { Machine } from './machine.ts'
import type { Model } from './model.ts'
import type { Network } from './network.ts'
import type { Report } from './report.ts'
import type { ServiceProcess } from './service-process.ts'

export interface World {
  readonly queue: EventQueue
  readonly random: SeededRandom
  readonly report: Report
  readonly model: Model
  readonly network: Network
  readonly service: ServiceProcess
  readonly machines: readonly Machine[]
  readonly administrators: Administrators
  /** All that goes wrong until the faults end. */
  readonly rates: FaultRates
  readonly cycleMs: number
}

/** Does what is due until `until` says that it is enough, or time is over. */
export type Run = (endAt: number, until?: () => boolean) => Promise<void>

/** The faults last so many cycles. */
export const cyclesOfFaults = 1.2

/** Everything that waits for nothing but the processor. */
export const drain = () => new Promise<void>((resolve) => void setImmediate(resolve))

export function untilUp(service: ServiceProcess, queue: EventQueue): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (service.isUp() ? resolve() : void queue.after(100, look))
    look()
  })
}
