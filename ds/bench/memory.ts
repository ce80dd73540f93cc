/** The resident memory of a process while others load it. */
import { readFileSync } from 'node:fs'
import type { Line } from './table.ts'

/** How often it is looked at, in milliseconds. */
const everyMs = 50

export function watchMemory(pid: number): () => Line[] {
  const idle = readResidentMb(pid)
  let most = idle
  const timer = setInterval(() => {
    most = Math.max(most, readResidentMb(pid))
  }, everyMs)
  return () => {
    clearInterval(timer)
    return [
      { what: 'resident memory, started', figure: `${idle.toFixed(0)} MB` },
      { what: '  most under load', figure: `${most.toFixed(0)} MB`, target: '< 150 MB' },
    ]
  }
}

/** `VmRSS` of proc(5), there in KiB. */
export function readResidentMb(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kib) * 1024) / 1e6
}
