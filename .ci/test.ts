/** `npm test`, `npm run test:all` and `npm run test:unit`: builds, runs the tests, and checks that each rule was proven. */
import process from 'node:process'
import { describeAmounts } from '../test/bed/amounts.ts'
import { describeLeftOut } from '../test/bed/legs.ts'
import { checkProofs } from './conformance.ts'
import {
  type Command,
  inNamespaces,
  mayMakeNamespaces,
  mayRaisePriority,
  onBun,
  onNode,
  runInLanes,
  withPriority,
  withSettings,
} from './run-commands.ts'
import { openRunFolder } from './run-folder.ts'
import { type TestGroup, testGroups, withoutGroups, workersSetting } from './test-groups.ts'
import { type RunCounts, summarize } from './test-reporter.ts'
import { makeWinePrefix } from './wine-prefix.ts'

const [choice] = process.argv.slice(2)
const isUnit = choice === '--unit'
const isAll = choice === '--all'
const folder = openRunFolder()
const startedAt = performance.now()
const failedCommands = isUnit ? await runUnitTests() : await runAllTests()
const runs = folder.readReports()
folder.saveTimes()
folder.remove()
const proofFaults = isUnit ? [] : checkProofs(runs.flatMap(({ tests }) => tests))
const total = addUp()
const leftOut = isUnit || isAll ? undefined : [describeLeftOut(), describeAmounts()].join('\n')
if (leftOut) console.log(leftOut)
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`)
console.log(summarize(total).join('\n'))
process.exitCode = total.failed === 0 ? 0 : 1

async function runUnitTests(): Promise<readonly Command[]> {
  return runInLanes([[onNode('--project=unit')], [onBun('--project=unit')]], folder.settings)
}

async function runAllTests(): Promise<readonly Command[]> {
  const builds = ['connector', 'ds'].map(
    (program): Command => ({ words: ['npm', 'run', '--silent', 'build', '-w', program] }),
  )
  const failedBuilds = await runInLanes([builds], folder.settings)
  // Tests of an earlier build would prove nothing.
  if (failedBuilds.length > 0) return failedBuilds
  const env = {
    ...folder.settings,
    ...makeWinePrefix(folder.path),
    ...(isAll && { TEST_ALL: 'yes' }),
    TEST_SERVICE_BUILT: 'yes',
  }
  const mayComeFirst = mayRaisePriority()
  const mayBeAlone = mayMakeNamespaces()
  const rest = [onNode(), onBun()].map((command) => [
    withSettings(command, { [withoutGroups]: 'yes' }),
  ])
  const isolated = testGroups.filter(({ runs }) => mayBeAlone && runs === 'in-namespaces')
  const first = testGroups.filter(({ runs }) => mayComeFirst && runs === 'with-priority')
  const later = testGroups.filter((group) => ![...isolated, ...first].includes(group))
  const lanes = [
    ...rest,
    ...isolated
      .flatMap(createCommands)
      .map(inNamespaces)
      .map((command) => [mayComeFirst ? withPriority(command, '-10') : command]),
    // One lane: they would be in each other's way.
    first.flatMap(createCommands).map((command) => withPriority(command)),
  ]
  const failedTogether = await runInLanes(lanes, env)
  const failedLater = await runInLanes([later.flatMap(createCommands)], env)
  return [...failedTogether, ...failedLater]
}

/** The commands that run a group; each runs one file after the other. */
function createCommands({ node, bun, shards = 1 }: TestGroup): readonly Command[] {
  const parts = Array.from({ length: shards }, (_, at) => `--shard=${at + 1}/${shards}`)
  const commands = [
    ...(node.length > 0 ? parts.map((part) => onNode('--passWithNoTests', part, ...node)) : []),
    ...(bun.length > 0 ? [onBun('--passWithNoTests', ...bun)] : []),
  ]
  return commands.map((command) => withSettings(command, { [workersSetting]: '1' }))
}

function addUp(): RunCounts {
  const sum = (of: 'passed' | 'failed' | 'skipped') => runs.reduce((all, run) => all + run[of], 0)
  return {
    passed: sum('passed'),
    // A command that ended badly without a failed test has failed all the same.
    failed: Math.max(sum('failed'), failedCommands.length) + proofFaults.length,
    skipped: sum('skipped'),
    failures: [
      ...runs.flatMap(({ failures }) => failures),
      ...failedCommands.map(({ words }) => words.join(' ')),
      ...proofFaults,
    ],
    unsteady: runs.flatMap(({ unsteady }) => unsteady),
  }
}
