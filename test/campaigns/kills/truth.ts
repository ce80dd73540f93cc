/** What was in the readers at each moment, and whether a listing may say what it says. */

/** What a listing says of a reader: it is not there, it is empty, or it has a card with this ATR. */
export type ReaderState = 'absent' | 'empty' | `card ${string}`

export interface Reader {
  readonly name: string
  readonly card?: { readonly atr: string } | undefined
}

export interface Truth {
  /** A change of a reader begins: the new state may be listed from now. Call the result when the change is over. */
  begin(name: string, state: ReaderState): () => void
  /** What is wrong with a listing whose request was sent and answered at these times; undefined: nothing. */
  findFault(listing: readonly Reader[], sentAt: number, answeredAt: number): string | undefined
  /** Whether a listing is exactly what is there now. */
  matches(listing: readonly Reader[]): boolean
}

/** Milliseconds for which a listing may be late: a change is listed within two seconds (docs/conformance.md). */
const staleMs = 2000

interface Period {
  readonly state: ReaderState
  readonly from: number
  /** Until the next state was reached. */
  until: number
}

/** All readers are empty at first. `now`: milliseconds. */
export function createTruth(names: readonly string[], now = () => performance.now()): Truth {
  const periods = new Map<string, Period[]>(
    names.map((name) => [name, [{ state: 'empty', from: now(), until: Number.POSITIVE_INFINITY }]]),
  )
  const readState = (listing: readonly Reader[], name: string): ReaderState => {
    const reader = listing.find((one) => one.name === name)
    if (!reader) return 'absent'
    return reader.card ? `card ${reader.card.atr}` : 'empty'
  }
  return {
    begin(name, state) {
      const all = periods.get(name) ?? []
      const before = all.at(-1)
      all.push({ state, from: now(), until: Number.POSITIVE_INFINITY })
      return () => {
        if (before) before.until = now()
      }
    },
    findFault(listing, sentAt, answeredAt) {
      const foreign = listing.find(({ name }) => !periods.has(name))
      if (foreign) return `"${foreign.name}" is listed, and is no reader`
      if (new Set(listing.map(({ name }) => name)).size < listing.length)
        return 'a reader is listed twice'
      for (const [name, all] of periods) {
        const listed = readState(listing, name)
        const isTrue = all.some(
          ({ state, from, until }) =>
            state === listed && from <= answeredAt && until >= sentAt - staleMs,
        )
        if (!isTrue) return `"${name}" is listed as ${listed}, and is ${all.at(-1)?.state}`
      }
      return undefined
    },
    matches: (listing) =>
      [...periods].every(([name, all]) => readState(listing, name) === all.at(-1)?.state),
  }
}
