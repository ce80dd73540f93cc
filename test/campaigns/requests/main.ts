/** `npm run campaign -- requests`: generated requests to the running programs, a table of what came, and each fault with its request. */
import { readOptions, runCampaign } from '../../bed/campaign.ts'
import { startConnectorTarget } from './connector-target.ts'
import { type TargetName, targetNames } from './documented.ts'
import { startDsTarget } from './ds-target.ts'
import { printFaults, printTable, type Totals } from './report.ts'
import { runTarget } from './run-target.ts'

const starters = {
  'ds-node': () => startDsTarget('ds-node'),
  'ds-workerd': () => startDsTarget('ds-workerd'),
  api: () => startConnectorTarget('api'),
  registry: () => startConnectorTarget('registry'),
} as const satisfies Record<TargetName, unknown>

const { seed, from, requests, bodies, target } = readOptions('requests', {
  seed: 1,
  from: 0,
  requests: 25_000,
  bodies: 100_000,
  target: targetNames,
})

await runCampaign(async () => {
  console.log(`seed ${seed}, requests ${from} to ${from + requests - 1}`)
  const all: Totals[] = []
  for (const name of target) all.push(await run(name))
  console.log(printTable(all))
  for (const { target, slowest } of all) console.log(`${target}: the slowest was ${slowest}`)
  const holds = all.every(({ faults }) => faults === 0)
  if (!holds) console.log(printFaults(all))
  return holds
})

async function run(name: TargetName): Promise<Totals> {
  const target = await starters[name]()
  try {
    const log = (line: string) => console.error(line)
    return await runTarget(target, { seed, from, requests, bodies, log })
  } finally {
    await target.dispose()
  }
}
