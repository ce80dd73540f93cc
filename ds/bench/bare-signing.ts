/** A program: signs tokens for some seconds, so many at once, and prints how many per second. */
import process from 'node:process'
import { measurePerSecond } from './per-second.ts'
import { signToken } from './token.ts'

const [seconds, atOnce] = process.argv.slice(2).map(Number)
const each = Array.from({ length: atOnce ?? 1 }, () => measurePerSecond(seconds ?? 1, signToken))
console.log((await Promise.all(each)).reduce((sum, rate) => sum + rate, 0))
