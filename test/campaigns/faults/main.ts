/** `npm run campaign -- faults`: each fault of the machine and of the peers once; a table, and 1 when something does not hold. */
import process from 'node:process'
import { formatSeconds, readOptions, runCampaign } from '../../bed/campaign.ts'
import { connectorPeerRows } from './connector-peer-rows.ts'
import { connectorRows } from './connector-rows.ts'
import { formatOutcomes, type Outcome, runRow } from './row.ts'
import { servicePeerRows } from './service-peer-rows.ts'
import { serviceRows } from './service-rows.ts'

const { only } = readOptions('faults', { only: '' })
const rows = [...serviceRows, ...connectorRows, ...servicePeerRows, ...connectorPeerRows].filter(
  ({ program, fault }) => `${program}: ${fault}`.includes(only),
)

await runCampaign(async () => {
  const outcomes: Outcome[] = []
  for (const row of rows) {
    const from = performance.now()
    const outcome = await runRow(row)
    outcomes.push(outcome)
    const end = `${outcome.holds ? 'holds' : 'FAILS'}, ${formatSeconds(from)}`
    process.stdout.write(`${row.program}: ${row.fault}: ${end}\n`)
  }
  const failed = outcomes.filter(({ holds }) => !holds).length
  const counts = `${outcomes.length} faults, ${failed} fail`
  process.stdout.write(`\n${formatOutcomes(outcomes)}\n\n${counts}\n`)
  return failed === 0 && outcomes.length > 0
})
