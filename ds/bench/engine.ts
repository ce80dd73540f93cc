/** The database of a measurement: what fills it with devices, and what of the same engine it is measured against. */
import type { ChildProgram } from './child-process.ts'
import type { StoreDevices } from './devices-rows.ts'

export interface Engine {
  /** As `DS_DATABASE` has it. */
  readonly database: string
  /** Whether several nodes of the service can share it. */
  readonly isShared: boolean
  readonly store: StoreDevices
  /** Stores so many labels; resolves with their API keys. */
  storeLabels(count: number): Promise<string[]>
  /** Notes so many of the devices that it has for a rollout. */
  storeRolloutDevices(rolloutId: string, count: number): Promise<void>
  /** A route that verifies a signature and writes a row, over a copy of the devices. `folder` is for its files. */
  startBare(folder: string, name: string): Promise<ChildProgram & { readonly url: string }>
  /** Of the database, in bytes. */
  readSize(): Promise<number>
  /** What the processors spent on the database's own processes so far, in microseconds. Absent where it has none here. */
  readServerUs?(): number
  close(): Promise<void>
}
