/** `npm run campaign -- faults`: each fault of the machine and of the peers once; a table, and 1 when something does not hold. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { connectorPeerRows } from './connector-peer-rows.ts'
import { connectorRows } from './connector-rows.ts'
import { formatOutcomes, type Outcome, runRow } from './row.ts'
import { servicePeerRows } from './service-peer-rows.ts'
import { serviceRows } from './service-rows.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const rows = [...serviceRows, ...connectorRows, ...servicePeerRows, ...connectorPeerRows].filter(
  ({ program, fault }) => `${program}: ${fault}`.includes(values.only),
)
const outcomes: Outcome[] = []
for (const row of rows) {
  const from = performance.now()
  const outcome = await runRow(row)
  outcomes.push(outcome)
  const s = ((performance.now() - from) / 1000).toFixed(1)
  process.stdout.write(
    `${row.program}: ${row.fault}: ${outcome.holds ? 'holds' : 'FAILS'}, ${s} s\n`,
  )
}
process.stdout.write(`\n${formatOutcomes(outcomes)}\n`)
const failed = outcomes.filter(({ holds }) => !holds).length
process.stdout.write(`\n${outcomes.length} faults, ${failed} fail\n`)
// What a row that failed has left open keeps nobody waiting.
process.exit(failed === 0 && outcomes.length > 0 ? 0 : 1)
