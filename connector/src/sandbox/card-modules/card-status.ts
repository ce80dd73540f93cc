/** What a status word says about data that a card was asked for (ISO/IEC 7816-4 §5.6). */
import { CardError } from './card-error.ts'

const ok = 0x9000
/** File or application not found; referenced data or reference data not found (table 6). */
const absent: readonly number[] = [0x6a82, 0x6a88]

/** High bytes for wrong lengths, parameters, instructions and classes (table 5). */
const refusals: readonly number[] = [0x67, 0x6a, 0x6b, 0x6d, 0x6e]

/** Whether the card does not know the command, or not in this form: what an earlier version of a specification does not have. */
export const isRefused = (status: number): boolean => refusals.includes(status >> 8)

/** High bytes for warnings, and for what a card does not do for this application or in this state (table 5). */
const conditions: readonly number[] = [0x62, 0x63, 0x68, 0x69]
/** The first digit of statuses of makers, such as those of SIM cards; 9000 is the one of all cards (§5.6). */
const ofMakers = 0x9

/**
 * Whether the card has what is optional for cards of all kinds: an application, a record, a counter. Throws `card-mute` for a failure
 * of the card and for what is no status: after that it may have it. Kinds of cards refuse what they do not have by many statuses.
 */
export function isOffered(status: number): boolean {
  if (status === ok) return true
  const isCondition = conditions.includes(status >> 8) || status >> 12 === ofMakers
  if (isRefused(status) || isCondition) return false
  throw createUnread()
}

/** Command not allowed in this class or state (table 5), and a verification that failed without a count (table 6). */
const isWithheld = (status: number): boolean =>
  status >> 8 === 0x68 || status >> 8 === 0x69 || status === 0x6300

/**
 * Requires an answer of a card that does not report a count by status: it does not know the command in this form, withholds the count, or
 * needs no PIN now (9000). Throws `card-mute` for a failure of the card and for what is no status: the count is not unknown, it was not read.
 */
export function requireUncounted(status: number): void {
  if (status !== ok && !isRefused(status) && !isWithheld(status)) throw createUnread()
}

/** Whether the card has the data. Throws `card-mute` for every status that says neither: the card may have what it does not give. */
export function isPresent(status: number): boolean {
  if (status === ok) return true
  if (absent.includes(status)) return false
  throw createUnread()
}

const createUnread = () =>
  new CardError('card-mute', 'Cannot read the card: it does not give its data')
