/** Whose variables count for what a command changes. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { selectVariables } from './command-context.ts'

const variables = {
  CARDWIRE_HOSTS: 'bank.example',
  CARDWIRE_MACHINE_DIR: 'C:\\ProgramData\\Cardwire',
  PATH: 'C:\\Windows',
}

test.each([
  ['machine', 'win32', { CARDWIRE_MACHINE_DIR: 'C:\\ProgramData\\Cardwire' }],
  ['machine', 'linux', variables],
  ['machine', 'darwin', variables],
  ['user', 'win32', variables],
  ['user', 'linux', variables],
] as const)('of a command for the %s on %s', (owner, platform, expected) => {
  proves('elevated-user-settings')
  expect(selectVariables(owner, platform, variables)).toEqual(expected)
})
