/** The tests of the release that take minutes and change a machine: `npm run release-tests -w ds`, as root on Debian. */
import { defineConfig } from 'vitest/config'
import { timeLimits } from '../../../.ci/time-limits.ts'
import { root } from '../../../test/bed/repository.ts'

export default defineConfig({
  test: {
    root,
    include: ['ds/release/test/**/*.test.ts'],
    ...timeLimits,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    chaiConfig: { truncateThreshold: 0 },
    globalSetup: ['test/bed/own-run.ts', 'ds/test/harness/build.ts'],
  },
})
