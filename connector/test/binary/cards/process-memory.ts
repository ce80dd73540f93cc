/** What is in the memory of a process (Linux). */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const pageBytes = 4096

/** How often each text is in the memory that the process can write; pages that it has not touched are left out. */
export function countInMemory(id: string | number, texts: readonly string[]): readonly number[] {
  const memory = openSync(`/proc/${id}/mem`, 'r')
  const pages = openSync(`/proc/${id}/pagemap`, 'r')
  const counts = texts.map(() => 0)
  const page = Buffer.alloc(pageBytes)
  const scan = (start: number, count: number) => {
    const flags = Buffer.alloc(count * 8)
    readSync(pages, flags, 0, flags.length, (start / pageBytes) * 8)
    for (let at = 0; at < count; at += 1) {
      // The highest bit of an entry says that the page is in memory (proc_pid_pagemap(5)).
      if (((flags[at * 8 + 7] ?? 0) & 0x80) === 0) continue
      readSync(memory, page, 0, pageBytes, start + at * pageBytes)
      const found = page.toString('latin1')
      texts.forEach((text, index) => {
        counts[index] = (counts[index] ?? 0) + found.split(text).length - 1
      })
    }
  }
  for (const line of readFileSync(`/proc/${id}/maps`, 'utf8').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    if (!from || !to || line.endsWith('[vvar]')) continue
    const end = Number.parseInt(to, 16)
    const step = 65_536
    for (let start = Number.parseInt(from, 16); start < end; start += step * pageBytes) {
      scan(start, Math.min(step, (end - start) / pageBytes))
    }
  }
  closeSync(memory)
  closeSync(pages)
  return counts
}
