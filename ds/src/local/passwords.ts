/** Passwords that the service makes for people. */
import { randomInt } from 'node:crypto'

// Without what looks alike: four groups of five give 98 bits.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

export function makePassword(): string {
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
