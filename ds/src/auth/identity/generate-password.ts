/** Generates passwords and recovery codes for people. */
import type { Random } from '../../ports.ts'

// Without characters that look alike: four groups of five have 98 bits of entropy.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Bytes from here on would make the first characters of the alphabet more frequent. */
const bound = 256 - (256 % alphabet.length)

/** Three groups of five have 74 bits: enough for a hash that costs nothing. */
export const generateRecoveryCode = (random: Random): string => generateGroups(random, 3)

export const generatePassword = (random: Random): string => generateGroups(random, 4)

function generateGroups(random: Random, count: number): string {
  const group = () => Array.from({ length: 5 }, () => pick(random)).join('')
  return Array.from({ length: count }, group).join('-')
}

function pick(random: Random): string {
  const [byte = 0] = random.bytes(1)
  return byte < bound ? (alphabet[byte % alphabet.length] ?? '') : pick(random)
}
