/** What the app works with. Entries gather these; nothing else reaches for the machine. */
import type { Context } from 'hono'
import type { IdentityProvider } from './auth/identity.ts'
import type { Keyring } from './auth/keyring.ts'
import type { Vault } from './auth/vault.ts'
import type { Database } from './db/database.ts'
import type { Gateway } from './gateway/gateway.ts'
import type { Packages } from './packages/packages.ts'
import type { Settings } from './settings.ts'

export interface Services {
  readonly settings: Settings
  /** The public address, without a slash at its end. */
  readonly url: string
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly digest: Digest
  readonly vault: Vault
  readonly keyring: Keyring
  readonly passwords: Passwords
  readonly identity: IdentityProvider
  readonly gateway: Gateway
  readonly packages: Packages
  readonly limits: Limits
  readonly log: Log
  /** Absent where a process lives too shortly to measure anything. */
  readonly metrics?: Metrics
  readonly viewer: Viewer
  /** The address of the peer on the socket, before any proxy's word is considered. */
  readonly peer: (context: Context) => string
}

/** Milliseconds since 1970, UTC. */
export type Clock = () => number

export interface Random {
  uuid(): string
  bytes(length: number): Uint8Array<ArrayBuffer>
}

/** SHA-256 of a text or of bytes, as hex digits. */
export type Digest = (content: string | Uint8Array<ArrayBuffer>) => Promise<string>

/** Slow on purpose, and as slow for an account that does not exist (`stored` undefined). */
export interface Passwords {
  hash(password: string): Promise<string>
  matches(password: string, stored: string | undefined): Promise<boolean>
}

/** The counts that are limited, each per key and minute. */
export type LimitName = 'token' | 'failure' | 'login'

export interface Limits {
  /** Counts one; answers with the seconds to wait when that was one too many. */
  take(name: LimitName, key: string): Promise<number | undefined>
}

/** One line per event. Fields never hold a secret. */
export interface Log {
  info(event: string, fields: Readonly<Record<string, unknown>>): void
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
  error(event: string, fields: Readonly<Record<string, unknown>>): void
}

export interface Metrics {
  observe(request: { method: string; route: string; status: number; seconds: number }): void
  /** The Prometheus text format, and its media type. */
  render(): Promise<{ readonly media: string; readonly text: string }>
}

/** The files of the page that shows the API document. */
export interface Viewer {
  file(name: string): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>>
}
