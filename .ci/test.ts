/** `npm test`, `npm run test:all` and `npm run test:unit`: builds, runs the tests, and checks that each rule was proven. */
import process from 'node:process'
import { describeAmounts } from '../test/bed/amounts.ts'
import { describeLeftOut, getLeftOutFiles } from '../test/bed/legs.ts'
import { checkProofs } from './conformance.ts'
import { makeMachines } from './machines.ts'
import {
  type Command,
  inNamespaces,
  mayMakeNamespaces,
  mayRaisePriority,
  nameCommand,
  onBun,
  onNode,
  runInLanes,
  withPriority,
  withSettings,
} from './run-commands.ts'
import { openRunFolder } from './run-folder.ts'
import { chooseFilesToRepeat, type FailedFile, mergeAttempts } from './second-attempt.ts'
import {
  findGroup,
  type TestGroup,
  testGroups,
  withoutGroups,
  workersSetting,
} from './test-groups.ts'
import { countRuns, type RunCounts, type RunReport, summarize } from './test-reporter.ts'

const [choice] = process.argv.slice(2)
const isUnit = choice === '--unit'
const isAll = choice === '--all'
/** Whether the tests notice that a guard of a changed file is missing; seconds of processor time (decision 153). */
const removeGuards: Command = {
  words: ['node', 'test/campaigns/mutations/main.ts', '--changed', '--budget', '60'],
}
const folder = openRunFolder()
const environment = isUnit
  ? folder.settings
  : {
      ...folder.settings,
      ...makeMachines(folder.path),
      ...(isAll && { TEST_ALL: 'yes' }),
      TEST_SERVICE_BUILT: 'yes',
    }
const startedAt = performance.now()
const failedCommands = isUnit ? await runUnitTests() : await runAllTests()
const first = folder.readReports()
// Developers start a failed test again by hand.
const repeated = process.env['CI'] ? await repeatFailedFiles(first) : []
const { runs, unsteady } = mergeAttempts(first, repeated)
// At the end, where it is in the way of no test; the tests that it runs are not counted.
const failedAtEnd = process.env['CI'] && !isUnit ? await runInLanes([[removeGuards]], {}) : []
folder.saveTimes()
folder.remove()
const proofFaults = isUnit
  ? []
  : checkProofs(
      runs.flatMap(({ tests }) => tests),
      isAll ? [] : getLeftOutFiles({}),
    )
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
  const mayComeFirst = mayRaisePriority()
  const mayBeAlone = mayMakeNamespaces()
  const rest = [onNode(), onBun()].map((command) => [
    withSettings(command, { [withoutGroups]: 'yes' }),
  ])
  const isolated = testGroups.filter(({ runs }) => mayBeAlone && runs === 'in-namespaces')
  const urgent = testGroups.filter(({ runs }) => mayComeFirst && runs === 'with-priority')
  const later = testGroups.filter((group) => ![...isolated, ...urgent].includes(group))
  const lanes = [
    ...rest,
    ...isolated
      .flatMap(createCommands)
      .map(inNamespaces)
      .map((command) => [mayComeFirst ? withPriority(command, '-10') : command]),
    // One lane: they would be in each other's way.
    urgent.flatMap(createCommands).map((command) => withPriority(command)),
  ]
  const failedTogether = await runInLanes(lanes, environment)
  // Two lanes, one for each processor.
  const inLane = (isFirst: boolean) =>
    later
      .filter((group) => (group.isFirst ?? false) === isFirst)
      .flatMap(createCommands)
      .map((command) => (isFirst && mayComeFirst ? withPriority(command) : command))
  const failedLater = await runInLanes([inLane(true), inLane(false)], environment)
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

/** Runs them one after the other, where their group runs. Returns the reports of this attempt. */
async function repeatFailedFiles(reports: readonly RunReport[]): Promise<readonly RunReport[]> {
  const files = chooseFilesToRepeat(reports)
  if (files.length === 0) return []
  console.log(`A second attempt: ${files.map(({ module }) => module).join(', ')}`)
  await runInLanes([files.map(repeatFile)], environment)
  return folder.readReports().slice(reports.length)
}

function repeatFile({ module, runtime }: FailedFile): Command {
  const command = withSettings(runtime === 'bun' ? onBun(module) : onNode(module), {
    [workersSetting]: '1',
  })
  const isIsolated = findGroup(module)?.runs === 'in-namespaces' && mayMakeNamespaces()
  return isIsolated ? inNamespaces(command) : command
}

function addUp(): RunCounts {
  const counts = countRuns(runs, unsteady)
  // A command that ended badly without a failed test has failed all the same.
  const explained = new Set(
    first.filter((run) => run.failures.length > 0).map(({ command }) => command),
  )
  const unexplained = [...failedCommands, ...failedAtEnd]
    .map(nameCommand)
    .filter((name) => !explained.has(name))
  const failures = [...counts.failures, ...unexplained, ...proofFaults]
  return { ...counts, failed: failures.length, failures }
}
