/** The processes that a campaign has started, and the memory that they have (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly command: readonly string[]
  readonly residentBytes: number
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

function readProcess(pid: number): ProcessFacts {
  const status = read(`/proc/${pid}/status`)
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return {
    pid,
    parent: field('PPid'),
    command: read(`/proc/${pid}/cmdline`).split('\0'),
    residentBytes: field('VmRSS') * 1024,
  }
}

/** Every process below this one, however deep. */
function listDescendants(): readonly ProcessFacts[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .map(readProcess)
  const found = new Map<number, ProcessFacts>()
  const add = (parent: number): void => {
    for (const one of all) {
      if (one.parent !== parent || found.has(one.pid)) continue
      found.set(one.pid, one)
      add(one.pid)
    }
  }
  add(process.pid)
  return [...found.values()]
}

/** Bytes in memory of the processes below this one that match. */
export const readResidentBytes = (matches: (command: readonly string[]) => boolean): number =>
  listDescendants()
    .filter(({ command }) => matches(command))
    .reduce((sum, { residentBytes }) => sum + residentBytes, 0)
