/** The tests of the packages that take minutes: `npm run package-tests -w connector`, as root on Debian. */
import { defineConfig } from 'vitest/config'
import { timeLimits } from '../../../.ci/time-limits.ts'
import { root } from '../../../test/bed/repository.ts'

export default defineConfig({
  test: {
    root,
    include: [
      'connector/packages/test/**/*.test.ts',
      'connector/test/binary/packages/hostile-windows.test.ts',
      'connector/test/binary/packages/life-cycle.test.ts',
      'connector/test/binary/packages/downloaded.test.ts',
    ],
    ...timeLimits,
    testTimeout: 600_000,
    hookTimeout: 900_000,
    globalSetup: ['test/bed/own-run.ts'],
    chaiConfig: { truncateThreshold: 0 },
    // They boot machines, and measure.
    fileParallelism: false,
  },
})
