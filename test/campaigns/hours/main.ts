/** `npm run campaign -- hours`: hours in minutes; a table, and 1 when something did not hold. */
import { readOptions, runCampaign } from '../../bed/campaign.ts'
import { runHours } from './hours.ts'

const { hours, machines, visits, seed } = readOptions('hours', {
  hours: 8,
  machines: 100,
  visits: 1000,
  seed: 1,
})

await runCampaign(async () => {
  console.log(`hours: ${hours} h, ${machines} machines, ${visits} visits an hour, seed ${seed}`)
  const from = performance.now()
  const results = await runHours({ hours, machines, visitsPerHour: visits, seed })
  const seconds = (performance.now() - from) / 1000
  console.log(results.print())
  console.log(`${hours} h, ${Math.round((hours * 3600) / seconds)} times as fast`)
  return results.violations().length === 0
})
