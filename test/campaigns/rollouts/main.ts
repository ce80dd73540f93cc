/** `npm run campaign -- rollouts`: good and bad releases in simulated fleets; a table, and 1 when something did not hold. */
import { formatTable, readOptions, runCampaign } from '../../bed/campaign.ts'
import { columns, names, runScenarios } from './scenarios.ts'

const { seeds, from, machines, release } = readOptions('rollouts', {
  seeds: 1000,
  from: 1,
  machines: 10_000,
  release: names,
})

await runCampaign(async () => {
  const { rows, tally } = runScenarios({ seeds, from, machines, releases: release })
  console.log(formatTable(columns, rows))
  console.log(tally.print())
  return tally.violations().length === 0
})
