/** One run for every workspace: fast tables beside the source, suites through the public door in `test/`. */
import { defineConfig } from 'vitest/config'
import { count, retry } from './.ci/count.ts'
import { leftOut } from './.ci/left-out.ts'

export default defineConfig({
  test: {
    include: [
      '{client,ds}/{src,test}/**/*.test.ts',
      'client/example/**/*.test.ts',
      '.ci/**/*.test.ts',
      'connector/test/binary/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', ...leftOut],
    globalSetup: ['ds/test/harness/build.ts'],
    // A Worker is bundled and started, a Deno binary warms up: slow is not wrong.
    testTimeout: 30_000,
    hookTimeout: 120_000,
    retry,
    // Names of tests are sentences: none is cut off.
    chaiConfig: { truncateThreshold: 0 },
    reporters: ['default', count],
  },
})
