/** Why there is no PIN: the problems that a page gets. */
import type { PinRefusal, PinRequest } from './pin-request.ts'

export const refusals = {
  busy: {
    problem: 'pin-busy',
    reason: 'Cannot ask for a PIN: the user is being asked for this page already; wait for that',
  },
  cancelled: { problem: 'pin-cancelled', reason: 'Cannot continue: the user entered no PIN' },
  invalid: {
    problem: 'pin-invalid',
    reason:
      'Cannot continue: the PIN that the user entered has a length or characters that the card does not accept',
  },
  timeout: {
    problem: 'pin-timeout',
    reason: 'Cannot continue: the user did not enter a PIN in time',
  },
  unavailable: {
    problem: 'dialog-unavailable',
    reason:
      'Cannot ask for a PIN: no window can be shown here; on Linux install a graphical pinentry, such as pinentry-gnome3 or pinentry-qt',
  },
} as const satisfies Record<string, PinRefusal>

/** Its time is over, or what it depends on has gone. */
export const refuseLate = ({ signal }: PinRequest): PinRefusal =>
  signal.aborted ? refusals.cancelled : refusals.timeout
