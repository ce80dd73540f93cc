/** Memory and processor time of the connector's processes (proc_pid_stat(5), proc_pid_status(5)). */
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
const readStatFields = (pid: number) =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')

export const readResidentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

/** User and system time in clock ticks. */
export const readTicks = (pid: number) =>
  Number(readStatFields(pid)[11]) + Number(readStatFields(pid)[12])

/** The process and its children, with their roles. */
export async function listProcesses(
  pid: number,
): Promise<readonly { pid: number; role: string }[]> {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && Number(readStatFields(each)[1]) === pid)
  const roleOf = (each: number) => read(`/proc/${each}/cmdline`).split('\0')[1] ?? ''
  return [{ pid, role: 'api' }, ...children.map((each) => ({ pid: each, role: roleOf(each) }))]
}
