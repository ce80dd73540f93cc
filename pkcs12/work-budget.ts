/** The work that one keystore may take: its file says itself how often its password is hashed, and for how many parts. */
import { KeystoreRefused } from './keystore-refused.ts'

/** Rounds of a hash function for all parts of a file together: some ten seconds of a slow machine. */
const maxRounds = 10_000_000

/** Bytes; RFC 8018 §4.1 wants eight or more, and programs write up to 64. */
const maxSaltBytes = 1024

/** Rounds from one turn for other work to the next: some milliseconds. */
const roundsPerTurn = 1000

export interface WorkBudget {
  /** Takes the work of one derivation before it is done. Throws KeystoreRefused. */
  spend(work: {
    readonly iterations: number
    /** How many outputs of the hash function are needed; each takes all iterations. */
    readonly blocks: number
    readonly saltBytes: number
  }): void
  /**
   * After work that takes as long as this many rounds: lets other work have its turn when it is due. Rejects with the reason of the
   * signal once that is aborted.
   */
  pause(rounds?: number): Promise<void> | undefined
  throwIfAborted(): void
}

export function createWorkBudget(signal?: AbortSignal): WorkBudget {
  let roundsLeft = maxRounds
  let sinceTurn = 0
  const throwIfAborted = () => signal?.throwIfAborted()
  return {
    throwIfAborted,
    spend({ iterations, blocks, saltBytes }) {
      throwIfAborted()
      if (iterations < 1 || iterations > maxRounds) {
        throw new KeystoreRefused(
          `its password takes ${iterations} iterations, and not 1 to ${maxRounds}`,
          'unreadable',
        )
      }
      if (saltBytes > maxSaltBytes) {
        throw new KeystoreRefused(
          `it has a salt of ${saltBytes} bytes, more than ${maxSaltBytes}`,
          'unreadable',
        )
      }
      // The first round reads the salt too.
      roundsLeft -= (iterations + saltBytes / 16) * blocks
      if (roundsLeft < 0) {
        throw new KeystoreRefused(
          `its parts take more than ${maxRounds} iterations together: make it with fewer`,
          'unreadable',
        )
      }
    },
    pause(rounds = 1) {
      sinceTurn += rounds
      if (sinceTurn < roundsPerTurn) return undefined
      sinceTurn = 0
      return new Promise((resolve) => setTimeout(resolve, 0)).then(throwIfAborted)
    },
  }
}
