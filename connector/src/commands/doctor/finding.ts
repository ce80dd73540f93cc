/** What the doctor says of one thing. */
import { openLog } from '../../system/log.ts'
import type { Machine } from '../machine.ts'

export interface Finding {
  /** note: something is missing that one may do without. */
  readonly level: 'good' | 'note' | 'bad'
  readonly what: string
  readonly todo?: string
}

/** Several in a row with the same remedy: the last alone says it. */
export const remediesOnce = (findings: readonly Finding[]): readonly Finding[] =>
  findings.map(({ todo, ...finding }, at) =>
    todo === undefined || findings[at + 1]?.todo === todo ? finding : { ...finding, todo },
  )

/** As `1 wrong, 2 notes`. */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length
  const [wrong, notes] = [count('bad'), count('note')]
  const noted = notes === 0 ? undefined : `${notes} ${notes === 1 ? 'note' : 'notes'}`
  const parts = wrong > 0 ? [`${wrong} wrong`, noted] : [noted, 'nothing wrong']
  return parts.filter(Boolean).join(', ')
}

/** Looks at some things of this machine, and says what it found. */
export type Check = (machine: Machine) => Promise<readonly Finding[]>

/** How long each of those who are asked may take, in milliseconds. */
export const patienceMs = 5000

/** The day of a time as ISO 8601 writes it. */
export const day = (time: string | undefined) => time?.slice(0, 10) ?? 'an unknown day'
export const because = (reason: string | undefined) => (reason === undefined ? '' : `: ${reason}`)

/** Where what the doctor meets on the way is written. */
export const logOf = ({ settings, folders }: Machine) =>
  openLog(folders.logs, 'doctor', { level: settings.logLevel, console: false })
