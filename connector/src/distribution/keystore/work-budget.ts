/** The work that one keystore may take: its file says itself how often its password is hashed, and for how many parts. */
import { KeystoreRefused } from './keystore-refused.ts'

/** Rounds of a hash function for all parts of a file together: some ten seconds of a slow machine. */
const maxRounds = 10_000_000

/** Bytes; RFC 8018 §4.1 wants eight or more, and programs write up to 64. */
const maxSaltBytes = 1024

export interface WorkBudget {
  /** Takes the work of one derivation before it is done. Throws KeystoreRefused. */
  spend(work: {
    readonly iterations: number
    /** How many outputs of the hash function are needed; each takes all iterations. */
    readonly blocks: number
    readonly saltBytes: number
  }): void
}

export function createWorkBudget(): WorkBudget {
  let roundsLeft = maxRounds
  return {
    spend({ iterations, blocks, saltBytes }) {
      if (iterations < 1 || iterations > maxRounds) {
        throw new KeystoreRefused(
          `its password takes ${iterations} iterations, and not 1 to ${maxRounds}`,
        )
      }
      if (saltBytes > maxSaltBytes) {
        throw new KeystoreRefused(`it has a salt of ${saltBytes} bytes, more than ${maxSaltBytes}`)
      }
      // The first round reads the salt too.
      roundsLeft -= (iterations + saltBytes / 16) * blocks
      if (roundsLeft < 0) {
        throw new KeystoreRefused(
          `its parts take more than ${maxRounds} iterations together: make it with fewer`,
        )
      }
    },
  }
}
