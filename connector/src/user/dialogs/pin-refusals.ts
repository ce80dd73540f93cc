/** Why there is no PIN: the problems that a page gets. */
import type { PinRefusal, PinRequest } from './pin-request.ts'

export const refusals = {
  busy: {
    problem: 'pin-busy',
    reason: 'Cannot ask for a PIN: the user is being asked for this page already; wait for that',
  },
  cancelled: { problem: 'pin-cancelled', reason: 'Cannot go on: the user entered no PIN' },
  invalid: {
    problem: 'pin-invalid',
    reason:
      'Cannot go on: what the user entered has another length, or characters that the card does not take',
  },
  timeout: { problem: 'pin-timeout', reason: 'Cannot go on: nobody entered a PIN in time' },
  unavailable: {
    problem: 'dialog-unavailable',
    reason:
      'Cannot ask for a PIN: no window can be shown here; on Linux install a graphical pinentry, such as pinentry-gnome3 or pinentry-qt',
  },
} as const satisfies Record<string, PinRefusal>

/** Its time is over, or what it depends on has gone. */
export const refuseLate = ({ signal }: PinRequest): PinRefusal =>
  signal.aborted ? refusals.cancelled : refusals.timeout
