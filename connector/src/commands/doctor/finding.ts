/** The findings of the doctor. */
import type { FindingCode } from '../../languages/finding-codes.ts'
import { openLog } from '../../system/log.ts'
import type { CommandContext } from '../command-context.ts'

export interface Finding {
  /** note: something is missing that is not needed everywhere. */
  readonly level: 'good' | 'note' | 'bad'
  readonly code: FindingCode
  readonly what: string
  readonly remedy?: string
}

/** Of several in a row with the same remedy only the last keeps it. */
export const removeRepeatedRemedies = (findings: readonly Finding[]): readonly Finding[] =>
  findings.map(({ remedy, ...finding }, at) =>
    remedy === undefined || findings[at + 1]?.remedy === remedy ? finding : { ...finding, remedy },
  )

export const countLevel = (findings: readonly Finding[], level: Finding['level']): number =>
  findings.filter((each) => each.level === level).length

/** As `1 problem, 2 notes`. */
export function formatSummary(findings: readonly Finding[]): string {
  const [wrong, notes] = [countLevel(findings, 'bad'), countLevel(findings, 'note')]
  const noted = notes === 0 ? undefined : `${notes} ${notes === 1 ? 'note' : 'notes'}`
  const parts =
    wrong > 0 ? [`${wrong} ${wrong === 1 ? 'problem' : 'problems'}`, noted] : [noted, 'no problems']
  return parts.filter(Boolean).join(', ')
}

/** Checks a part of this machine. */
export type Check = (machine: CommandContext) => Promise<readonly Finding[]>

/** How long each request of a check may take, in milliseconds. */
export const checkTimeoutMs = 5000

/** The day of a time as ISO 8601 writes it. */
export const formatDay = (time: string | undefined) => time?.slice(0, 10) ?? 'an unknown day'
export const formatReason = (reason: string | undefined) =>
  reason === undefined ? '' : `: ${reason}`

/** The log of the doctor. */
export const openDoctorLog = ({ settings, folders }: CommandContext) =>
  openLog(folders.logs, 'doctor', { level: settings.logLevel, console: false })
