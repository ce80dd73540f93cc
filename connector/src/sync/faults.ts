/** What is wrong with this connector now, for the administrators: it goes out with every synchronisation. */
import type { Fault } from '@cardwire/client/protocol'

/** Characters of one fault, and faults in all, that the service takes. */
const bounds = { detail: 1000, faults: 20 }

export interface Faults {
  /** One of a kind; the same again keeps its time. */
  set(kind: string, detail: string): void
  clear(kind: string): void
  list(): readonly Fault[]
}

/** `clock` gives milliseconds since 1970. */
export function openFaults(clock: () => number): Faults {
  const faults = new Map<string, Fault>()
  return {
    set(kind, text) {
      const detail = text.slice(0, bounds.detail)
      if (faults.get(kind)?.detail === detail) return
      faults.set(kind, { kind, detail, at: new Date(clock()).toISOString() })
    },
    clear: (kind) => void faults.delete(kind),
    list: () => [...faults.values()].slice(0, bounds.faults),
  }
}
