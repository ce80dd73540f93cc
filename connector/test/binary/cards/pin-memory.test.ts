/** The memory of a card process after it has verified a PIN. */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CardReader } from './card-reader.ts'
import { type PersonAtReader, startPersonAtReader } from './person-at-reader.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'

const pin = '83947261'
const pageBytes = 4096

let person: PersonAtReader
let bed: CardReader
let pinentry: ScriptedPinentry

beforeAll(async () => {
  person = await startPersonAtReader()
  ;({ bed, pinentry } = person)
  await pinentry.type(pin)
})
afterAll(() => person?.stop())

/** The card processes of the connector. */
const findCardProcesses = (): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      const [, role] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      return role === 'card' && status.includes(`PPid:\t${bed.connector.child.pid}\n`)
    } catch {
      // It is no process, or has ended.
      return false
    }
  })

/** How often each text is in the memory that the process can write; pages that it has not touched are left out. */
function countInMemory(id: string, texts: readonly string[]): readonly number[] {
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
      texts.forEach((text, index) => {
        counts[index] = (counts[index] ?? 0) + page.toString('latin1').split(text).length - 1
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

test.runIf(process.platform === 'linux')(
  'a PIN is nowhere in the memory of the process that has sent it to the card',
  async () => {
    await bed.insert({ pin })
    const headers = { 'content-type': 'application/json' }
    const { status } = await bed.token('verify-pin', 'piv', { method: 'POST', body: '{}', headers })
    expect(status).toBe(200)
    const [id = '', ...others] = findCardProcesses()
    expect(others).toEqual([])
    const [pins, names] = countInMemory(id, [pin, 'Virtual PCD 00 00'])
    expect(pins).toBe(0)
    // What was sent along with it is found.
    expect(names).toBeGreaterThan(0)
  },
)
