/** Whether this API is connected to a registry, and why not; each change is logged once. */
import type { Log } from '../../system/log.ts'
import type { Scope } from './registry-client.ts'

export type ConnectionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'linked'; readonly scope: Scope }
  /** No registry, or none that can be used; the reason says what to do. */
  | { readonly kind: 'absent' | 'foreign' | 'taken' | 'refused'; readonly reason: string }

export interface StateLog {
  current(): ConnectionState
  set(next: ConnectionState): void
}

export function createStateLog(log: Pick<Log, 'info' | 'warn'>): StateLog {
  let state: ConnectionState = { kind: 'starting' }
  return {
    current: () => state,
    set(next) {
      if (Bun.deepEquals(state, next)) return
      state = next
      if (next.kind === 'linked') log.info('registry found', { scope: next.scope })
      else if (next.kind !== 'starting')
        log.warn('no registry', { state: next.kind, reason: next.reason })
    },
  }
}

/** What a step to a registry ends with: the state that it leaves, if it is another one, and the pause before the next. */
export interface StepResult {
  readonly state?: ConnectionState
  readonly pauseMs?: number
}
