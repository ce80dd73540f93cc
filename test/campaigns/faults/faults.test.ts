/** The quickest faults of the campaign, and what it says of one that ends badly. */
import { expect, test } from 'vitest'
import { proves } from '../../bed/proves.ts'
import { connectorRows } from './connector-rows.ts'
import { check, formatOutcomes, type Row, runRow, until, within } from './row.ts'
import { servicePeerRows } from './service-peer-rows.ts'
import { serviceRows } from './service-rows.ts'

const quickRows = [...serviceRows, ...connectorRows, ...servicePeerRows].filter(
  ({ isQuick }) => isQuick,
)

test.each(quickRows.map((row) => [`${row.program}: ${row.fault}`, row] as const))(
  '%s: it answers, says what is wrong and recovers',
  async (_, row) => {
    proves('downloads-unread', 'disk-full', 'connector-disk-full')
    expect(await runRow(row)).toMatchObject({ holds: true, observation: expect.any(String) })
  },
)

const createRow = (run: Row['run']): Row => ({
  ...{ program: 'service', fault: 'a|fault', holds: 'goes on', run },
})

test.each<[string, Row['run'], string]>([
  [
    'is not answered',
    async () => (await within(10, 'GET /', () => never)).value,
    'GET / has no end after 10 ms',
  ],
  [
    'does not recover',
    async () => `${await until(60, 'it stores', async () => false)}`,
    'it stores: not after 60 ms',
  ],
  ['says something else', async () => String(check(false, 'a stack')), 'a stack'],
])('a fault after which a program %s is reported', async (_, run, reason) => {
  const outcome = await runRow(createRow(run))
  expect(outcome).toMatchObject({ holds: false, observation: reason })
  expect(formatOutcomes([outcome])).toContain(
    `| service | a\\|fault | goes on | ${reason} | **fails** |`,
  )
})
const never = new Promise<string>(() => undefined)
