/** The test files that run while no other test runs, with the reason. All others run on Node and on Bun at the same time. */

export interface ExclusiveTests {
  readonly reason: string
  /** Files, or folders with `/` at their end. */
  readonly node: readonly string[]
  readonly bun: readonly string[]
}

export const exclusiveTests: readonly ExclusiveTests[] = [
  {
    reason:
      'They start pcscd, which a machine has once: its socket and the ports of its virtual readers are fixed, and every connector that another test starts meanwhile would list its readers.',
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
  },
  {
    reason:
      'They measure: 20 ms from a change to its response, a second for a new sandbox, 250 ms in which the connector does nothing else, the ticks of a processor that has nothing to do, 3 s without a registry in a machine that boots, 20 s for a whole session in another one.',
    node: [
      'connector/test/binary/change-latency.test.ts',
      'connector/test/binary/packages/life-cycle.test.ts',
      'connector/test/binary/packages/downloaded.test.ts',
      'test/campaigns/faults/',
    ],
    bun: [
      'connector/test/desktop/clipboard.test.ts',
      'connector/test/distribution/pkcs12.test.ts',
      'connector/test/sandbox/faults.test.ts',
    ],
  },
  {
    reason:
      'They compute on every processor for a minute, or send as fast as programs answer: tests beside them would run late.',
    node: ['test/campaigns/requests/requests.test.ts'],
    bun: ['test/simulation/'],
  },
  {
    reason: 'It installs a service under Wine, which waits for its start as long as Windows does.',
    node: ['connector/test/binary/packages/hostile-windows.test.ts'],
    bun: [],
  },
]

/** The setting that leaves these files out of a run, because they follow in a run of their own. */
export const withoutExclusive = 'TEST_WITHOUT_EXCLUSIVE'

/** The patterns of all these files. */
export const exclusivePatterns: readonly string[] = exclusiveTests
  .flatMap(({ node, bun }) => [...node, ...bun])
  .map((path) => (path.endsWith('/') ? `${path}**` : path))
