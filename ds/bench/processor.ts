/** The time that processors spent on a process: what does not depend on who else keeps the machine busy. */
import { readFileSync } from 'node:fs'

/** A tick of the times of proc(5), in microseconds. */
const tickUs = 10_000

/** `utime` and `stime`. */
export const readProcessorUs = (pid: number): number => sumFields(pid, [11, 12])

/** With `cutime` and `cstime`: of the children that have ended. */
export const readProcessorUsOfAll = (pid: number): number => sumFields(pid, [11, 12, 13, 14])

function sumFields(pid: number, places: readonly number[]): number {
  // The name may hold spaces; what follows it does not.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return places.reduce((sum, place) => sum + Number(fields[place]), 0) * tickUs
}
