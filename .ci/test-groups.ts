/** The test files that cannot run beside all others, with the reason. The rest runs on Node and on Bun at the same time. */

import process from 'node:process'

export interface TestGroup {
  readonly name: string
  readonly reason: string
  /** Files, or folders with `/` at their end. */
  readonly node: readonly string[]
  readonly bun: readonly string[]
  /**
   * Where they run, one file after the other: beside the others in namespaces of their own, beside the others with a higher
   * priority, or at the end. Where the machine does not allow it they run at the end too.
   */
  readonly runs: 'in-namespaces' | 'with-priority' | 'at-the-end'
  /** At the end: beside those that are not, and with a higher priority. */
  readonly isFirst?: boolean
  /** In how many parts the files of Node run side by side; one part if left out. */
  readonly shards?: number
}

export const testGroups: readonly TestGroup[] = [
  {
    name: 'card service',
    reason:
      'They start pcscd. Its socket and the ports of its virtual readers are fixed, so a machine has one, and every connector on that machine lists its readers.',
    node: [
      'client/test/journeys/card.test.ts',
      'client/test/journeys/transaction.test.ts',
      'connector/test/binary/cards/',
      'test/campaigns/kills/',
    ],
    bun: [
      'connector/test/pcsc/',
      'connector/test/cards/beid-card.test.ts',
      'connector/test/cards/emv-card.test.ts',
      'connector/test/cards/openpgp-card.test.ts',
      'connector/test/cards/piv-card.test.ts',
      'connector/test/readers.test.ts',
    ],
    runs: 'in-namespaces',
    shards: 3,
  },
  {
    name: 'limits in time',
    reason:
      'They prove limits in time: 20 ms from a change to its response, a second for a new sandbox, 250 ms in which the connector does nothing else, no tick of an idle processor, a second in which a registry asks fifty connectors, 20 s for a session in another one, and the wait of Wine for a service.',
    node: [
      'connector/test/binary/change-latency.test.ts',
      'connector/test/binary/packages/downloaded.test.ts',
      'connector/test/binary/packages/hostile-windows.test.ts',
      'test/campaigns/faults/',
    ],
    bun: [
      'connector/test/desktop/clipboard.test.ts',
      'connector/test/distribution/pkcs12.test.ts',
      'connector/test/registry/registry.test.ts',
      'connector/test/sandbox/faults.test.ts',
    ],
    runs: 'with-priority',
  },
  {
    name: 'Windows under Wine',
    reason:
      'On a busy machine Wine hands on the clipboard so late that the connector misses the code word.',
    node: [],
    bun: ['connector/test/wine/'],
    runs: 'with-priority',
  },
  {
    name: 'keys under Wine',
    reason: 'On a busy machine a window of Windows misses keys, also with the highest priority.',
    node: [],
    bun: [
      'connector/test/desktop/windows.test.ts',
      'connector/test/desktop/windows-folder-choice.test.ts',
    ],
    runs: 'at-the-end',
    isFirst: true,
  },
  {
    name: 'upgrade',
    reason:
      'An upgrade of a package leaves a machine that boots without a registry for 3 s at most. It waits for the disk, which no priority speeds up.',
    node: ['connector/test/binary/packages/life-cycle.test.ts'],
    bun: [],
    runs: 'at-the-end',
  },
  {
    name: 'load',
    reason: 'It uses every processor, so tests beside it would time out.',
    node: ['test/campaigns/requests/requests.test.ts'],
    bun: [],
    runs: 'at-the-end',
  },
]

/** The group that a test file belongs to, if it belongs to any. */
export const findGroup = (file: string): TestGroup | undefined =>
  testGroups.find(({ node, bun }) =>
    [...node, ...bun].some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path)),
  )

/** The setting that leaves the files of all groups out of a run, because they have runs of their own. */
export const withoutGroups = 'TEST_WITHOUT_GROUPS'

/** The setting with how many files run at a time. */
export const workersSetting = 'TEST_WORKERS'

/** Beside the shards. Node has more to do than Bun, and is the last to end. */
export const maxWorkers = {
  node: Number(process.env[workersSetting] ?? 4),
  bun: Number(process.env[workersSetting] ?? 2),
}

/** The patterns of the files of all groups. */
export const groupPatterns: readonly string[] = testGroups
  .flatMap(({ node, bun }) => [...node, ...bun])
  .map((path) => (path.endsWith('/') ? `${path}**` : path))
