/** `npm run campaign -- kills`: kills each program again and again under load; a table, and 1 when something did not hold. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { createRandom } from '../../simulation/random.ts'
import { killPcscd, killRegistry, killSandboxes } from './kill-connector-parts.ts'
import { killNodes } from './kill-nodes.ts'
import { killService } from './kill-service.ts'
import { createResults } from './results.ts'

const targets = {
  ds: killService,
  nodes: killNodes,
  sandbox: killSandboxes,
  registry: killRegistry,
  pcscd: killPcscd,
}
type Target = keyof typeof targets
const isTarget = (name: string): name is Target => Object.hasOwn(targets, name)

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string', multiple: true, default: Object.keys(targets) },
  },
})
const [kills, seed] = [Number(values.kills), Number(values.seed)]
const unknown = values.target.find((name) => !isTarget(name))
if (unknown !== undefined || !(kills > 0) || !Number.isInteger(seed)) {
  const names = Object.keys(targets).join('|')
  process.stderr.write(`Cannot run: kills [--kills 100] [--seed 1] [--target ${names}]…\n`)
  process.exit(2)
}
for (const target of values.target.filter(isTarget)) {
  const results = createResults(target)
  const from = performance.now()
  process.stdout.write(`\n${target}: ${kills} kills, seed ${seed}\n`)
  await targets[target]({ kills, random: createRandom(seed), results })
  const s = ((performance.now() - from) / 1000).toFixed(1)
  process.stdout.write(`${results.print()}\n${target}: ${s} s\n`)
  if (results.violations().length > 0) process.exitCode = 1
}
// A request that has no end keeps nobody waiting.
process.exit()
