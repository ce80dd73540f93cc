/** The term of a policy: how long it holds without another synchronization, as the service has signed it. */
import type { PolicyState } from '@cardwire/protocol/connector-sync'
import type { SyncReply } from '@cardwire/protocol/sync'
import type { ClockReadings } from '../../system/clock-watch.ts'

/** Milliseconds since 1970, by the clock of the service. */
export interface PolicyTerm {
  readonly from: number
  readonly until: number
}

const dayMs = 86_400_000
/** How long before its end a policy is reported, in milliseconds; never in the first half of its term. */
const noticeMs = 14 * dayMs
/** A clock that is farther from that of the service has jumped: its difference says nothing about a trusted reading. */
const maxOffsetMs = dayMs

/** undefined: the service sets no end. */
export const toPolicyTerm = ({ iat, exp }: SyncReply): PolicyTerm | undefined =>
  exp === undefined ? undefined : { from: iat * 1000, until: exp * 1000 }

/** `now`: milliseconds since 1970, by the clock of the service. */
export function judgeTerm({ from, until }: PolicyTerm, now: number): PolicyState {
  if (now >= until) return 'expired'
  return until - now <= Math.min(noticeMs, (until - from) / 2) ? 'ending' : 'good'
}

/**
 * The time of the service by which a term is judged; `offsetMs`: how far its clock was ahead of ours at the last
 * synchronization. A jump ahead counts once the clock is trusted, and the end that a jump has brought is undone as soon as
 * the clock is set back, unless it stands before the term.
 */
export function toPolicyTime(
  { from }: PolicyTerm,
  { now, trustedAt }: ClockReadings,
  offsetMs: number,
): number {
  const offset = Math.abs(offsetMs) <= maxOffsetMs ? offsetMs : 0
  const isPlausible = now + offset >= from - maxOffsetMs
  return offset + (isPlausible ? Math.min(now, trustedAt) : trustedAt)
}

/** The term as the contract has it, by a clock that is `offsetMs` behind that of the service. */
export const toPolicyStatus = (term: PolicyTerm, readings: ClockReadings, offsetMs: number) => ({
  state: judgeTerm(term, toPolicyTime(term, readings, offsetMs)),
  until: new Date(term.until).toISOString(),
})
