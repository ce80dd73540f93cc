/** A user with a clipboard, and the consent service of that user's API over a real state database. */
import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog, type Log } from '../../../test/bed/log.ts'
import type { ClipboardText } from '../../src/system/desktop/desktop.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import {
  type ActiveConsents,
  createActiveConsents,
} from '../../src/user/consent/active-consents.ts'
import {
  type ClipboardConsentService,
  createClipboardConsentService,
} from '../../src/user/consent/clipboard-consent-service.ts'
import { type ConsentStore, createConsentStore } from '../../src/user/consent/consent-store.ts'

export const dayMs = 86_400_000
export const origin = 'https://shop.example'

export interface ConsentSetup {
  readonly runtime: string
  readonly database: Database
  readonly store: ConsentStore
  readonly activeConsents: ActiveConsents
  readonly consentService: ClipboardConsentService
  /** Whether this origin has an active consent. */
  hasConsent(of: string): boolean
  readonly log: Log
  /** Every line of the log, with its fields, as text. */
  readonly logged: string[]
  /** What the desktop was asked to show. */
  readonly notifications: string[]
  /** How often the clipboard was read. */
  clipboardReads(): number
  copy(text: string): void
  /** What the clipboard answers from now on. */
  setClipboard(answer: () => Promise<ClipboardText>): void
  clock(): number
  setClock(at: number): void
  close(): void
}

export interface ConsentSetupOptions {
  readonly runtime?: string
  readonly allowlist?: readonly string[]
  readonly port?: number
  readonly at?: number
  /** Whether registries learn whose pages ask; default: yes. */
  readonly namesOwners?: boolean
  /** The language of the user, a tag of BCP 47; English if left out. */
  readonly language?: string
}

export function createConsentSetup(options: ConsentSetupOptions = {}): ConsentSetup {
  const runtime = options.runtime ?? mkdtempSync(join(tmpdir(), 'cardwire-state-'))
  const logged: string[] = []
  const notifications: string[] = []
  const log = createLog(logged)
  let now = options.at ?? Date.UTC(2026, 10, 21, 9, 30)
  let reads = 0
  let readText = async (): Promise<ClipboardText> => ({ kind: 'empty' })
  const clock = () => now
  const database = openStateDatabase(runtime, log)
  const store = createConsentStore(database)
  const activeConsents = createActiveConsents(store, clock, log)
  const consentService = createClipboardConsentService({
    issuer: {
      agentId: store.agentId,
      key: store.key,
      username: 'ada',
      hostname: 'desk-7',
      port: () => options.port ?? 25_100,
      sandboxPid: () => 4711,
    },
    store,
    activeConsents,
    clipboard: {
      read() {
        reads += 1
        return readText()
      },
    },
    notifier: {
      async show({ title, text }) {
        notifications.push(`${title}: ${text}`)
        return true
      },
    },
    language: options.language ?? 'en',
    log,
    clock,
    consentRequests: { perUser: 5, shared: 300 },
    namesOwners: options.namesOwners ?? true,
    allowlist: () => options.allowlist ?? [origin, 'https://*.shops.example'],
  })
  return {
    runtime,
    database,
    store,
    activeConsents,
    consentService,
    hasConsent: (of) => activeConsents.findLatest(of) !== undefined,
    log,
    logged,
    notifications,
    clipboardReads: () => reads,
    copy(text) {
      readText = async () => ({ kind: 'text', text })
    },
    setClipboard(next) {
      readText = next
    },
    clock,
    setClock(at) {
      now = at
    },
    close() {
      activeConsents.stop()
      database.close()
      if (options.runtime === undefined) rmSync(runtime, { recursive: true, force: true })
    },
  }
}
