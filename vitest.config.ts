/** The tests that run on Node: those of the sources, and the suites of `test/`, which start programs. */

import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './.ci/longest-first.ts'
import { notLoaded } from './.ci/skipped-tests.ts'
import { groupPatterns, maxWorkers, withoutGroups } from './.ci/test-groups.ts'
import { reporter } from './.ci/test-reporter.ts'
import { timeLimits } from './.ci/time-limits.ts'

const exclude = [
  '**/node_modules/**',
  ...notLoaded,
  ...(process.env[withoutGroups] ? groupPatterns : []),
]

export default defineConfig({
  test: {
    maxWorkers: maxWorkers.node,
    sequence: { sequencer: LongestFirst },
    ...timeLimits,
    // Names of tests are sentences: none is cut off.
    chaiConfig: { truncateThreshold: 0 },
    reporters: ['default', reporter],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{client,client/{protocol,server},ds}/src/**/*.test.ts', '.ci/**/*.test.ts'],
          // The simulation runs the connector's code, on Bun; the campaigns start programs.
          exclude: [...exclude, 'test/simulation/**', 'test/campaigns/**'],
          // Most of their time would go into loading the same modules for each file.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'suites',
          include: [
            '{client,ds}/test/**/*.test.ts',
            'client/example/**/*.test.ts',
            'connector/test/binary/**/*.test.ts',
            'test/campaigns/**/*.test.ts',
            'test/models/**/*.test.ts',
          ],
          // The hours run the connector's code, on Bun.
          exclude: [...exclude, 'test/campaigns/hours/**'],
          isolate: false,
          globalSetup: ['test/bed/own-run.ts', 'ds/test/harness/build.ts'],
          setupFiles: ['.ci/processor-time.ts'],
        },
      },
    ],
  },
})
