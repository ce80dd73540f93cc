/** Roots for tests, with keys from the pool. `x509.test.ts` and the tests of the binary generate theirs. */
import { takeRootKeys } from '../../../test/bed/root-keys.ts'
import { TrustableRoot } from '../../src/pki/trustable-root.ts'
import { makeRoot, type RootOptions } from '../../src/pki/x509.ts'

export const makeTestRoot = (options: Omit<RootOptions, 'makeKeys'>) =>
  makeRoot({ ...options, makeKeys: takeRootKeys })

/** A root that may be trusted, PEM, as stores take it. */
export function judgeTestRoot(pem: string): TrustableRoot {
  const judged = TrustableRoot.judge(pem, [])
  if (typeof judged === 'string') throw new Error(`Cannot trust the root of the test: ${judged}`)
  return judged
}
