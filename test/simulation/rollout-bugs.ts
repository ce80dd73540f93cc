/** Bugs of rollouts, in what the service reads of them. */
import type { Driver, Row } from './service-code.ts'

/** Columns of a rollout, and of a version, in the order of their tables. */
const column = { state: 3, plan: 4, stage: 6 } as const
const mandatory = 3

interface Stage {
  readonly share: number
}
type ChangeStage = (
  stage: Stage,
  rollout: { readonly current: number; readonly state: string },
) => Stage

const readingOpenRollouts = /^select .* from "rollouts" where "rollouts"\."state" <> /
const readingVersions = /^select .* from "versions"$/

const replace = (row: Row, at: number, value: unknown): Row =>
  row.map((each, index) => (index === at ? value : each)) as unknown as Row

const changingRows =
  (reading: RegExp, change: (row: Row) => Row) =>
  (driver: Driver): Driver => ({
    ...driver,
    async run(statement) {
      const rows = await driver.run(statement)
      return reading.test(statement.sql) ? rows.map(change) : rows
    },
  })

/** Stages as they are not stored. */
export const changingStages = (change: ChangeStage) =>
  changingRows(readingOpenRollouts, (row) => {
    const { stages, ...plan } = JSON.parse(String(row[column.plan]))
    const rollout = { current: Number(row[column.stage]), state: String(row[column.state]) }
    const changed = stages.map((stage: Stage) => change(stage, rollout))
    return replace(row, column.plan, JSON.stringify({ ...plan, stages: changed }))
  })

/** A rollout in this state runs. */
export const runningOn = (state: string) =>
  changingRows(readingOpenRollouts, (row) =>
    row[column.state] === state ? replace(row, column.state, 'running') : row,
  )

/** While there is a rollout, no version is mandatory. */
export function forgettingMandatory(driver: Driver): Driver {
  let isOpen = false
  return {
    ...driver,
    async run(statement) {
      const rows = await driver.run(statement)
      if (readingOpenRollouts.test(statement.sql)) isOpen = rows.length > 0
      const isChanged = isOpen && readingVersions.test(statement.sql)
      return isChanged ? rows.map((row) => replace(row, mandatory, 0)) : rows
    },
  }
}
