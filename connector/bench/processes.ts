/** What the system says of the connector's processes (proc_pid_stat(5), proc_pid_status(5)). */
import { readdirSync, readFileSync } from 'node:fs'

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended while we looked.
    return ''
  }
}

/** The fields of a stat line behind the name, which may hold anything. */
const fields = (pid: number) =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')

export const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** User and system time in clock ticks. */
export const ticksOf = (pid: number) => Number(fields(pid)[11]) + Number(fields(pid)[12])

/** The process and its children, with their roles. */
export async function processesOf(pid: number): Promise<readonly { pid: number; role: string }[]> {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && Number(fields(each)[1]) === pid)
  const roleOf = (each: number) => read(`/proc/${each}/cmdline`).split('\0')[1] ?? ''
  return [{ pid, role: 'api' }, ...children.map((each) => ({ pid: each, role: roleOf(each) }))]
}
