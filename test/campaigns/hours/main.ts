/** `npm run campaign -- hours`: hours in minutes; a table, and 1 when something did not hold. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runHours } from './hours.ts'

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '8' },
    machines: { type: 'string', default: '100' },
    visits: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
})
const [hours, machines, visitsPerHour, seed] = [
  Number(values.hours),
  Number(values.machines),
  Number(values.visits),
  Number(values.seed),
]
if (!(hours >= 1 && machines >= 1 && visitsPerHour >= 1 && Number.isInteger(seed))) {
  console.error('Cannot run: hours [--hours 8] [--machines 100] [--visits 1000] [--seed 1]')
  process.exit(2)
}
console.log(
  `hours: ${hours} h, ${machines} machines, ${visitsPerHour} visits an hour, seed ${seed}`,
)
const from = performance.now()
const results = await runHours({ hours, machines, visitsPerHour, seed })
const s = (performance.now() - from) / 1000
console.log(results.print())
console.log(`${hours} h in ${s.toFixed(1)} s: ${Math.round((hours * 3600) / s)} times as fast`)
if (results.violations().length > 0) process.exitCode = 1
