/** The proofs of every screen in Chromium and Firefox: `npm run admin-tests -w ds`. */
import { defineConfig } from 'vitest/config'
import { timeLimits } from '../../.ci/time-limits.ts'
import { root } from '../../test/bed/repository.ts'

export default defineConfig({
  test: {
    root,
    include: ['ds/admin-tests/**/*.test.ts'],
    // One browser at a time, and in it one page after the other.
    fileParallelism: false,
    ...timeLimits,
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
    chaiConfig: { truncateThreshold: 0 },
    globalSetup: ['test/bed/own-run.ts', 'ds/test/harness/build.ts'],
  },
})
