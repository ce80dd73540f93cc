/** The time that processors spent on a process: what does not depend on who else keeps the machine busy. */
import { readFileSync } from 'node:fs'

/** A tick of `utime` and `stime` of proc(5), in microseconds. */
const tickUs = 10_000

export function readProcessorUs(pid: number): number {
  // The name may hold spaces; what follows it does not.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * tickUs
}
