/** Roots for tests, with keys from the pool. `x509.test.ts` and the tests of the binary generate theirs. */
import { takeRootKeys } from '../../../test/bed/root-keys.ts'
import { makeRoot, type RootOptions } from '../../src/pki/x509.ts'

export const makeTestRoot = (options: Omit<RootOptions, 'makeKeys'>) =>
  makeRoot({ ...options, makeKeys: takeRootKeys })
