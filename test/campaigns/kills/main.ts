/** `npm run campaign -- kills`: kills each program again and again under load; a table, and 1 when something did not hold. */
import process from 'node:process'
import { formatSeconds, readOptions, runCampaign } from '../../bed/campaign.ts'
import { createRandom } from '../../bed/random.ts'
import { killPcscd, killRegistry, killSandboxes } from './kill-connector-parts.ts'
import { killNodes } from './kill-nodes.ts'
import { killService } from './kill-service.ts'
import { createResults } from './results.ts'

const killers = {
  ds: killService,
  nodes: killNodes,
  sandbox: killSandboxes,
  registry: killRegistry,
  pcscd: killPcscd,
}
const targets = Object.keys(killers) as (keyof typeof killers)[]
const { kills, seed, target } = readOptions('kills', { kills: 100, seed: 1, target: targets })

await runCampaign(async () => {
  let violated = 0
  for (const name of target) {
    const results = createResults()
    const from = performance.now()
    process.stdout.write(`\n${name}: ${kills} kills, seed ${seed}\n`)
    await killers[name]({ kills, random: createRandom(seed), results })
    process.stdout.write(`${results.print()}\n${name}: ${formatSeconds(from)}\n`)
    violated += results.violations().length
  }
  return violated === 0
})
