/** A person with a clipboard, and the desk of that person's API over a real state database. */
import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LastingConsents, lastingConsents } from '../../src/consent/lasting.ts'
import { type OwnDesk, ownDesk } from '../../src/consent/own-desk.ts'
import { type ConsentStore, consentStore } from '../../src/consent/store.ts'
import type { ClipboardText } from '../../src/desktop/desktop.ts'
import { openState } from '../../src/state/database.ts'
import type { Log } from '../../src/system/log.ts'

export const dayMs = 86_400_000
export const origin = 'https://shop.example'

export interface Person {
  readonly runtime: string
  readonly database: Database
  readonly store: ConsentStore
  readonly lasting: LastingConsents
  readonly desk: OwnDesk
  readonly log: Log
  /** Every line of the log, with its fields, as text. */
  readonly logged: string[]
  /** What the desktop was asked to show. */
  readonly told: string[]
  /** How often the clipboard was read. */
  reads(): number
  copy(text: string): void
  /** What the clipboard answers from now on. */
  clipboardIs(answer: () => Promise<ClipboardText>): void
  clock(): number
  setClock(at: number): void
  close(): void
}

export interface PersonOptions {
  readonly runtime?: string
  readonly allowlist?: readonly string[]
  readonly port?: number
  readonly at?: number
}

export function newPerson(options: PersonOptions = {}): Person {
  const runtime = options.runtime ?? mkdtempSync(join(tmpdir(), 'cardwire-state-'))
  const logged: string[] = []
  const told: string[] = []
  const log = logInto(logged)
  let now = options.at ?? Date.UTC(2026, 10, 21, 9, 30)
  let reads = 0
  let answer = async (): Promise<ClipboardText> => ({ kind: 'empty' })
  const clock = () => now
  const database = openState(runtime, log)
  const store = consentStore(database)
  const lasting = lastingConsents(store, clock, log)
  const desk = ownDesk({
    maker: {
      agentId: store.agentId,
      key: store.key,
      username: 'ada',
      hostname: 'desk-7',
      port: () => options.port ?? 25_100,
      sandboxPid: () => 4711,
    },
    store,
    lasting,
    clipboard: {
      read() {
        reads += 1
        return answer()
      },
    },
    notifier: {
      async show({ title, text }) {
        told.push(`${title}: ${text}`)
        return true
      },
    },
    log,
    clock,
    allowlist: () => options.allowlist ?? [origin, 'https://*.shops.example'],
  })
  return {
    runtime,
    database,
    store,
    lasting,
    desk,
    log,
    logged,
    told,
    reads: () => reads,
    copy(text) {
      answer = async () => ({ kind: 'text', text })
    },
    clipboardIs(next) {
      answer = next
    },
    clock,
    setClock(at) {
      now = at
    },
    close() {
      lasting.stop()
      database.close()
      if (options.runtime === undefined) rmSync(runtime, { recursive: true, force: true })
    },
  }
}

function logInto(lines: string[]): Log {
  const line = (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
    void lines.push(`${event} ${JSON.stringify(fields)}`)
  return { debug: line, info: line, warn: line, error: line }
}
