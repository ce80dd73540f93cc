/** The pause before the next synchronization that pages or tokens may start: a value, judged by the clock. */

/** Times in milliseconds since 1970. */
export interface RequestPause {
  readonly decidedAt: number
  readonly endsAt: number
  /** Whether the service asked for it, by Retry-After. */
  readonly isOfService: boolean
}

export const noPause: RequestPause = {
  decidedAt: Number.NEGATIVE_INFINITY,
  endsAt: Number.NEGATIVE_INFINITY,
  isOfService: false,
}

export const startPause = (now: number, ms: number, isOfService: boolean): RequestPause => ({
  decidedAt: now,
  endsAt: now + ms,
  isOfService,
})

export const isPausedByService = ({ isOfService, decidedAt, endsAt }: RequestPause, now: number) =>
  isOfService && now >= decidedAt && now < endsAt

/** When a request of a page may start a synchronization. */
export const findEarliestStart = ({ decidedAt, endsAt }: RequestPause, now: number): number =>
  // On a clock that was set back since, the pause would last until the clock is there again.
  now < decidedAt ? now : Math.max(now, endsAt)
