/** Answers that come before the user can have read the window: keys that were meant for another window go to one that opens. */
import type { Decision } from './question.ts'
import type { SecretAnswer } from './secret-entry.ts'

/**
 * Milliseconds from the start of a window's program until an answer counts: a second in which the program opens the window, and one
 * in which the window takes no input.
 */
export const minReadingMs = 2000

/** How often a question is shown for one answer. */
const maxQuestions = 3

/** Milliseconds; never set back. */
export type WindowClock = () => number

/** Both by the same clock. */
export const isEarly = (openedAt: number, answeredAt: number): boolean =>
  answeredAt - openedAt < minReadingMs

/** Runs one window with a field. */
export async function rejectEarlySecret(
  clock: WindowClock,
  show: () => Promise<SecretAnswer>,
): Promise<SecretAnswer> {
  const openedAt = clock()
  const answer = await show()
  if (answer.kind !== 'entered' || !isEarly(openedAt, clock())) return answer
  answer.secret.fill(0)
  return { kind: 'early' }
}

/** Runs one window with two answers, again while it is accepted too early; the user who refuses is believed at once. */
export async function rejectEarlyDecision(
  clock: WindowClock,
  show: () => Promise<Decision>,
): Promise<Decision> {
  for (let shown = 1; shown <= maxQuestions; shown += 1) {
    const openedAt = clock()
    const decision = await show()
    if (decision !== 'accepted' || !isEarly(openedAt, clock())) return decision
  }
  return 'refused'
}
