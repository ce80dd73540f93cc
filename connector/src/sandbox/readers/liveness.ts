/** Whether a sandbox is alive: it reports first, and answers pings when it has been silent for a while. */
import type { Clock } from '../../system/clock.ts'

/** Deadlines, in milliseconds. */
export interface LivenessTimeouts {
  /** From its start to its first report. */
  readonly firstReportMs: number
  /** From its last message until `checkAlive` sends a ping. */
  readonly heartbeatMs: number
  /** From a ping to its pong. */
  readonly pongMs: number
}

export interface Liveness {
  /** The sandbox has sent a message of any kind. */
  onMessage(): void
  /** Calls `ping` when there was no message for a while, and none is waited for. */
  check(ping: () => void): void
  /** Ends the waiting. */
  end(): void
}

/** `onSilence` is called when no message comes in time. */
export function watchLiveness(
  clock: Clock,
  timeouts: LivenessTimeouts,
  onSilence: () => void,
): Liveness {
  let cancelDeadline = clock.after(timeouts.firstReportMs, onSilence)
  let lastMessageAt = clock.now()
  let awaitingMessage = true
  return {
    onMessage() {
      cancelDeadline()
      awaitingMessage = false
      lastMessageAt = clock.now()
    },
    check(ping) {
      if (awaitingMessage || clock.now() - lastMessageAt < timeouts.heartbeatMs) return
      awaitingMessage = true
      ping()
      cancelDeadline = clock.after(timeouts.pongMs, onSilence)
    },
    end: () => cancelDeadline(),
  }
}
