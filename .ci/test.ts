/** `npm test`, `npm run test:all` and `npm run test:unit`: builds, runs the tests, and checks that each rule was proven. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '../test/bed/repository.ts'
import { checkProofs } from './conformance.ts'
import {
  type Command,
  inNamespaces,
  onBun,
  onNode,
  runInLanes,
  withSettings,
} from './run-commands.ts'
import { type TestGroup, testGroups, withoutGroups, workersSetting } from './test-groups.ts'
import {
  processorTimesFile,
  type RunCounts,
  type RunReport,
  runsFile,
  summarize,
} from './test-reporter.ts'
import { makeWinePrefix } from './wine-prefix.ts'

const [choice] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'cardwire-test-'))
const runsPath = join(folder, 'runs')
const processorTimes = join(folder, 'processor-times')
const settings = {
  [runsFile]: runsPath,
  [processorTimesFile]: processorTimes,
  TEST_SHARED_FOLDER: folder,
}
writeFileSync(runsPath, '')
writeFileSync(processorTimes, '')
const startedAt = performance.now()
const failedCommands = choice === '--unit' ? await runUnitTests() : await runAllTests()
const runs = readFileSync(runsPath, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): RunReport => JSON.parse(line))
saveTimes()
rmSync(folder, { recursive: true, force: true })
const proofFaults = choice === '--unit' ? [] : checkProofs(runs.flatMap(({ tests }) => tests))
const total = addUp()
console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`)
console.log(summarize(total).join('\n'))
process.exitCode = total.failed === 0 ? 0 : 1

async function runUnitTests(): Promise<readonly Command[]> {
  // Two processors: one for each half would leave Node's idle soon.
  return runInLanes([[onNode('--project=unit')], [onBun('--project=unit')]], settings)
}

async function runAllTests(): Promise<readonly Command[]> {
  const builds = ['connector', 'ds'].map(
    (program): Command => ({ words: ['npm', 'run', '--silent', 'build', '-w', program] }),
  )
  const failedBuilds = await runInLanes([builds], settings)
  const env = {
    ...settings,
    ...makeWinePrefix(folder),
    ...(choice === '--all' && { TEST_ALL: 'yes' }),
    TEST_SERVICE_BUILT: 'yes',
  }
  // Only root may make namespaces.
  const hasNamespaces = process.getuid?.() === 0
  const isolated = testGroups.filter(({ runs }) => hasNamespaces && runs === 'in-namespaces')
  const later = testGroups.filter((group) => !isolated.includes(group))
  const rest = [onNode(), onBun()].map((command) =>
    withSettings(command, { [withoutGroups]: 'yes' }),
  )
  const lanes = [
    ...rest.map((command) => [command]),
    isolated.flatMap(nameCommands).map(inNamespaces),
  ]
  const failedTogether = await runInLanes(lanes, env)
  const failedLater = await runInLanes([later.flatMap(nameCommands)], env)
  return [...failedBuilds, ...failedTogether, ...failedLater]
}

/** The commands that run a group, one file after the other. */
function nameCommands({ node, bun }: TestGroup): readonly Command[] {
  const commands = [
    ...(node.length > 0 ? [onNode('--passWithNoTests', ...node)] : []),
    ...(bun.length > 0 ? [onBun('--passWithNoTests', ...bun)] : []),
  ]
  return commands.map((command) => withSettings(command, { [workersSetting]: '1' }))
}

/** Saves how long each file took, and how long processors worked for it, for the budget of the next test. */
function saveTimes(): void {
  const processorSeconds = new Map(
    readFileSync(processorTimes, 'utf8')
      .split('\n')
      .map((line): [string, string] => {
        const [seconds = '', path = ''] = line.split(' ')
        return [path.replace(root, ''), seconds]
      }),
  )
  const lines = runs
    .flatMap(({ files }) => files)
    .sort((one, other) => other.ms - one.ms)
    .map(({ module, ms }) => {
      const processor = processorSeconds.get(module) ?? '-'
      return `${(ms / 1000).toFixed(1).padStart(8)} ${processor.padStart(8)} ${module}\n`
    })
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'test-times.txt'), ['seconds processor file\n', ...lines].join(''))
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
