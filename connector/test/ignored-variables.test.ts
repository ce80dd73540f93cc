/** Which texts of a program of Bun are taken for names of its variables. */
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { ignoreVariables } from '../build/ignored-variables.ts'

const dangerous =
  'BUN_BE_BUN\0BUN_OPTIONS\0BUN_INSPECT\0BUN_INSPECT_PRELOAD\0BUN_INSPECT_CONNECT_TO\0'

test.each([
  ['a name between zeros', 'TZ\0BUN_OPTIONS\0HOME\0', 'TZ\0\0UN_OPTIONS\0HOME\0'],
  ['a name that this file does not know', 'BUN_LATER\0', '\0UN_LATER\0'],
  ['names without a zero between them', 'A\0BUN_FIRSTBUN_SECOND\0', 'A\0\0UN_FIRST\0UN_SECOND\0'],
  ['the timer that the sandbox turns off', 'BUN_GC_TIMER_DISABLE\0', 'BUN_GC_TIMER_DISABLE\0'],
  ['a sentence', 'set BUN_OPTIONS to\0', 'set BUN_OPTIONS to\0'],
  ['source code', 'process.env.BUN_OPTIONS;\0', 'process.env.BUN_OPTIONS;\0'],
])('%s', (_, program, expected) => {
  proves('runtime-variables')
  const changed = ignoreVariables(Buffer.from(`\0${dangerous}${program}`)).toString('latin1')
  expect(changed.slice(1 + dangerous.length)).toBe(expected)
})

test('a program without a name that runs code is refused', () => {
  const program = Buffer.from(`\0${dangerous.replace('BUN_OPTIONS', 'OTHER')}`)
  expect(() => ignoreVariables(program)).toThrow('ignore BUN_OPTIONS: it has no such name')
})
