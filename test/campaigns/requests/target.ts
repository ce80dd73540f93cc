/** A program under test, with what a campaign needs of it. */
import type { Fault } from './check-answer.ts'
import type { Address } from './connection.ts'
import type { TargetName } from './documented.ts'
import type { Surface } from './generate.ts'
import type { RawResponse } from './http-response.ts'
import type { Header, PlannedRequest } from './planned-request.ts'

export interface Target {
  readonly name: TargetName
  readonly surface: Surface
  readonly address: Address
  /** What no answer may have in it. */
  secrets(): readonly string[]
  /** The value of `{{name}}`, as it is now. */
  resolve(name: string): string
  /** The headers of the request beside its own, for a body that is complete. */
  createHeaders(request: PlannedRequest, body: Buffer | undefined): readonly Header[]
  /** Learns from an answer: ids and keys that requests use, changes that were accepted. */
  observe(request: PlannedRequest, response: RawResponse): void
  /** Does now and then what a client does between its requests. */
  refresh(): Promise<void>
  /** Bytes that its processes have in memory. */
  readMemory(): number
  isRunning(): boolean
  /** What was there before, and no request may change. */
  readKept(): Promise<unknown>
  /** A whole use of the program, as users have it; throws when something is not right. */
  runJourney(): Promise<void>
  /** Ends it, and looks at what it stored. */
  stopAndCheck(): Promise<readonly Fault[]>
  /** Ends it and removes its files, whatever happened. */
  dispose(): Promise<void>
}

/** Keeps values by their names; a name that nobody has learned yet gives what is surely unknown. */
export function createSlots() {
  const values = new Map<string, string>()
  return {
    set: (name: string, value: unknown) => {
      if (typeof value === 'string') values.set(name, value)
    },
    get: (name: string): string => values.get(name) ?? '7d6a3a52-6a1f-4d1b-9a53-000000000000',
  }
}

/** Replaces each `{{name}}`. */
export const fillIn = (text: string, resolve: (name: string) => string): string =>
  text.replaceAll(/\{\{([^}]*)\}\}/g, (_, name: string) => resolve(name))
