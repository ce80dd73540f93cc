/** The current faults of this connector, for the administrators: every synchronization reports them. */
import { toReportedText } from '@cardwire/protocol/reported-text'
import { type Fault, faultBounds } from '@cardwire/protocol/sync'

export interface Faults {
  /** Sets the fault of this kind. The same detail again keeps its time. */
  set(kind: string, detail: string): void
  clear(kind: string): void
  list(): readonly Fault[]
}

/** `clock` gives milliseconds since 1970. */
export function createFaults(clock: () => number): Faults {
  const faults = new Map<string, Fault>()
  return {
    set(kind, text) {
      const detail = toReportedText(text, faultBounds.detail)
      if (faults.get(kind)?.detail === detail) return
      faults.set(kind, { kind, detail, at: new Date(clock()).toISOString() })
    },
    clear: (kind) => void faults.delete(kind),
    list: () => [...faults.values()].slice(0, faultBounds.faults),
  }
}
