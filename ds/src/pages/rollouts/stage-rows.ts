/** The stages of a rollout as rows of a form: texts as they were typed, and the values that they mean. */
import type { RolloutInput } from '@cardwire/protocol'
import type { Form } from '../frame/form.ts'

export interface StageRow {
  /** A percentage. */
  readonly share: string
  /** Hours. */
  readonly hold: string
  /** The ID of a group; empty: all devices. */
  readonly group: string
}

type Stages = RolloutInput['stages']

/** A rollout has no more. */
const maxRows = 10
/** The fewest that a form shows. */
const minRows = 6

export const defaultRows: readonly StageRow[] = [
  { share: '1', hold: '48', group: '' },
  { share: '10', hold: '48', group: '' },
  { share: '50', hold: '24', group: '' },
  { share: '100', hold: '24', group: '' },
]

/** The rows in which something was typed. */
export function readRows(form: Form): readonly StageRow[] {
  const [shares, holds, groups] = [form.texts('share'), form.texts('hold'), form.texts('group')]
  return shares
    .map((share, at) => ({
      share: share.trim(),
      hold: (holds[at] ?? '').trim(),
      group: groups[at] ?? '',
    }))
    .filter(({ share, hold }) => share !== '' || hold !== '')
}

/** With two empty rows at least, as long as more are possible. */
export const padRows = (rows: readonly StageRow[]): readonly StageRow[] => [
  ...rows,
  ...Array.from(
    { length: Math.max(0, Math.min(maxRows, Math.max(minRows, rows.length + 2)) - rows.length) },
    () => ({ share: '', hold: '', group: '' }),
  ),
]

/** A field that is empty or no number is NaN, which the operation refuses. */
const toNumber = (text: string): number => (text === '' ? Number.NaN : Number(text))

export const toStages = (rows: readonly StageRow[]): Stages =>
  rows.map(({ share, hold, group }) => ({
    ...(group !== '' && { group }),
    share: toNumber(share),
    holdS: Math.round(toNumber(hold) * 3600),
  }))

export const toRows = (stages: Stages): readonly StageRow[] =>
  stages.map(({ share, holdS, group = '' }) => ({
    group,
    share: String(share),
    hold: String(Number((holdS / 3600).toFixed(4))),
  }))
