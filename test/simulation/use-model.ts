/** Which uses there truly were, which the connectors have forgotten, and what the service counts. */
import type { Invariant } from './report.ts'

interface Uses {
  /** Counted by the connector for certain, and those that it may have counted when it died. */
  done: number
  uncertain: number
  /** Those that the connector has forgotten, because the service said that it has them. */
  settled: number
  /** Of the settled ones those that a restore may have taken back. */
  taken: number
}

type Check = (invariant: Invariant, holds: boolean, reason: () => string) => void

export function createUseModel(check: Check) {
  const uses = new Map<string, Uses>()
  const counted = new Map<string, number>()

  const usesOf = (tag: string): Uses => {
    const known = uses.get(tag)
    if (known) return known
    const none = { done: 0, uncertain: 0, settled: 0, taken: 0 }
    uses.set(tag, none)
    return none
  }

  function checkCount(tag: string): void {
    const { done, uncertain, settled } = usesOf(tag)
    const count = counted.get(tag) ?? 0
    check(
      'counted-once',
      count <= done + uncertain,
      () =>
        `${tag} was used ${done} times (${uncertain} more may be), and the service counts ${count}`,
    )
    check(
      'acknowledged-kept',
      count >= settled,
      () => `the service said that it has ${settled} uses of ${tag}, and counts ${count}`,
    )
  }

  return {
    done(tag: string) {
      usesOf(tag).done += 1
    },
    uncertain(tag: string) {
      usesOf(tag).uncertain += 1
    },
    /** A connector has forgotten these uses; `isOfNow`: said by a service that was not set back since. */
    settle(
      entries: readonly { readonly tag?: string | undefined; readonly count: number }[],
      isOfNow: boolean,
    ) {
      for (const { tag = '', count } of entries) {
        const known = usesOf(tag)
        if (isOfNow) known.settled += count
        else known.taken += count
        checkCount(tag)
      }
    },
    /** What the service counts now. */
    counted(rows: readonly { readonly tag: string; readonly count: number }[]) {
      for (const { tag, count } of rows) {
        counted.set(tag, count)
        checkCount(tag)
      }
    },
    /** When everything of a machine has come through each of its uses is counted, and none twice. */
    checkAllCounted(machine: number) {
      for (const [tag, { done, uncertain, taken }] of uses) {
        if (!tag.startsWith(`${machine}.`)) continue
        const count = counted.get(tag) ?? 0
        check(
          'counted-once',
          count >= done - taken && count <= done + uncertain,
          () =>
            `${tag} was used ${done} times (${uncertain} more may be, a restore may have taken ${taken}), and the service counts ${count}`,
        )
      }
    },
    /** By tag, for a backup. */
    settled: (): ReadonlyMap<string, number> =>
      new Map([...uses].map(([tag, { settled }]) => [tag, settled])),
    /** A backup has taken the place of what the service counted. */
    restored(
      rows: readonly (readonly [string, number])[],
      settledBefore: ReadonlyMap<string, number>,
    ) {
      counted.clear()
      for (const [tag, count] of rows) counted.set(tag, count)
      for (const [tag, known] of uses) {
        const settled = settledBefore.get(tag) ?? 0
        known.taken += Math.max(0, known.settled - settled)
        known.settled = Math.min(known.settled, settled)
        checkCount(tag)
      }
    },
  }
}
