/** Generates passwords for people. */
import { randomInt } from 'node:crypto'

// Without characters that look alike: four groups of five have 98 bits of entropy.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export function generatePassword(): string {
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
