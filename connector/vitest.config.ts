/** The tests that run on Bun, which the connector's binary is made of: `bun --bun vitest run --config connector/vitest.config.ts`. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { notLoaded } from '../.ci/skipped-tests.ts'
import { groupPatterns, maxWorkers, withoutGroups } from '../.ci/test-groups.ts'
import { reporter } from '../.ci/test-reporter.ts'
import { timeLimits } from '../.ci/time-limits.ts'

const exclude = [
  // The binary is asked from Node, whose TLS verifies our own chain where Bun's does not.
  'connector/test/binary/**',
  '**/node_modules/**',
  ...notLoaded,
  ...(process.env[withoutGroups] ? groupPatterns : []),
]

/** They read the memory of their process, or replace WebCrypto for all of it. A test that exceeds its time leaves the replacement in place. */
const isolated = [
  'connector/test/desktop/secret-buffers.test.ts',
  'test/campaigns/hours/**/*.test.ts',
  'test/simulation/**/*.test.ts',
]
const globalSetup = [fileURLToPath(new URL('../test/bed/own-run.ts', import.meta.url))]
const setupFiles = [fileURLToPath(new URL('../.ci/processor-time.ts', import.meta.url))]

export default defineConfig({
  // Node's tests run at the same time.
  cacheDir: 'node_modules/.vite-connector',
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    maxWorkers: maxWorkers.bun,
    ...timeLimits,
    chaiConfig: { truncateThreshold: 0 },
    reporters: ['default', reporter],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['connector/src/**/*.test.ts'],
          exclude,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'suites',
          include: ['connector/{test,build}/**/*.test.ts'],
          exclude: [...exclude, ...isolated],
          isolate: false,
          globalSetup,
          setupFiles,
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: isolated, exclude, globalSetup, setupFiles },
      },
    ],
  },
})
