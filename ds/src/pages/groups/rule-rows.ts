/** The rules of a group as rows of a form: texts as they were typed, and the values that they mean. */
import { type GroupRule, Platform } from '@cardwire/protocol'
import type { Form } from '../frame/form.ts'

/** Each has values with commas or spaces between them. */
export const ruleFields = ['tags', 'reportedTags', 'hostnames', 'platforms', 'versions'] as const
export type RuleField = (typeof ruleFields)[number]
export type RuleRow = Readonly<Record<RuleField, string>>

/** A group has no more. */
const maxRows = 10

export const emptyRow: RuleRow = {
  ...{ tags: '', reportedTags: '', hostnames: '', platforms: '', versions: '' },
}

const isTyped = (row: RuleRow) => ruleFields.some((field) => row[field] !== '')

/** The boxes of the systems of a rule: a browser sends the ticked ones only. */
export const nameSystemBoxes = (at: number): string => `platforms-${at}`

/** The rows in which something was typed or ticked. */
export const readRows = (form: Form): readonly RuleRow[] => {
  const columns = ruleFields.map((field) => [field, form.texts(field)] as const)
  const count = Math.max(0, ...columns.map(([, texts]) => texts.length))
  return Array.from({ length: count }, (_, at) => ({
    ...emptyRow,
    ...Object.fromEntries(columns.map(([field, texts]) => [field, (texts[at] ?? '').trim()])),
    // The page before a change has them as one text.
    ...(!form.has('platforms') && { platforms: form.texts(nameSystemBoxes(at)).join(', ') }),
  })).filter(isTyped)
}

/** The systems of a row, for its boxes. */
export const listSystems = ({ platforms }: RuleRow): readonly Platform[] =>
  split(platforms).map(toPlatform)

/** With an empty row, as long as one more is possible. */
export const padRows = (rows: readonly RuleRow[]): readonly RuleRow[] =>
  rows.length < maxRows ? [...rows, emptyRow] : rows

const split = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')

/** Names of systems in any case; what is none is refused by the operation. */
const toPlatform = (text: string) =>
  Platform.options.find((one) => one === text.toUpperCase()) ?? (text as Platform)

export const toRules = (rows: readonly RuleRow[]): GroupRule[] =>
  rows.map((row) => {
    const values = Object.fromEntries(
      ruleFields
        .filter((field) => row[field] !== '')
        .map((field) => [
          field,
          field === 'platforms' ? split(row[field]).map(toPlatform) : split(row[field]),
        ]),
    )
    return values as GroupRule
  })

export const toRows = (rules: readonly GroupRule[]): readonly RuleRow[] =>
  rules.map((rule) => ({
    ...emptyRow,
    ...Object.fromEntries(ruleFields.map((field) => [field, (rule[field] ?? []).join(', ')])),
  }))
