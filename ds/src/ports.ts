/** What the service needs from its runtime: clock, random numbers, hashes, limits, log. */
import type {
  DeviceStanding,
  KeystoreCertificate,
  keystoreProblems,
  ProblemName,
  WebhookFault,
} from '@cardwire/protocol'

/** Milliseconds since 1970, UTC. */
export type Clock = () => number

/** Starts work that no request waits for. */
export type Background = (work: () => Promise<void>) => void

export interface Random {
  uuid(): string
  bytes(length: number): Uint8Array<ArrayBuffer>
}

/** SHA-256 of a text or of bytes, as hex digits. */
export type Digest = (content: string | Uint8Array<ArrayBuffer>) => Promise<string>

/** Slow on purpose, and as slow for an account that does not exist (`passwordHash` undefined). */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(password: string, passwordHash: string | undefined): Promise<boolean>
}

/** What a keystore is for, or why connectors would not use it. */
export type OpenedKeystore =
  | { readonly kind: 'opened'; readonly certificate: KeystoreCertificate }
  | {
      readonly kind: 'refused'
      readonly problem: (typeof keystoreProblems)[number]
      /** Such as `it holds no private key`. */
      readonly reason: string
    }

/**
 * Opens a PKCS #12 file with its password. The file says how much work that is, within limits. Rejects with the reason of the signal
 * once that is aborted.
 */
export type OpenKeystore = (
  file: Uint8Array,
  password: string,
  options: { readonly now: number; readonly signal: AbortSignal },
) => Promise<OpenedKeystore>

/**
 * What is limited, each per key and minute: application tokens, registrations, failed authentications and uploads of logs,
 * failed logins.
 */
export type LimitName = 'token' | 'registration' | 'failure' | 'login'

export interface Limits {
  /** What an administrator raises so that more devices register in a minute. */
  readonly registrationSetting: string
  /** Counts one. Returns the seconds to wait when the limit is exceeded. */
  consume(name: LimitName, key: string): Promise<number | undefined>
  /** Takes one back that was counted. Does nothing where the platform can only count. */
  refund(name: LimitName, key: string): Promise<void>
  /**
   * Counts a login of an address that has failed too often: true for one in `intervalMs`, over all nodes. Absent where nodes
   * do not count together.
   */
  admitLogin?(address: string, intervalMs: number): Promise<boolean>
}

/** One line per event. Fields never hold a secret. */
export interface Log {
  info(event: string, fields: Readonly<Record<string, unknown>>): void
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
  error(event: string, fields: Readonly<Record<string, unknown>>): void
}

/** A signed request to a webhook. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/**
 * Sends it, and resolves with the status of the response or why there was none; never rejects. It follows no redirect, reads no more
 * than some bytes of a response, and connects to no address that the settings do not allow.
 */
export type PostWebhook = (
  request: WebhookRequest,
) => Promise<{ readonly status: number } | { readonly reason: WebhookFault }>

export interface DeviceCount {
  readonly version: string
  readonly standing: DeviceStanding
  readonly count: number
}

/** Devices that were seen lately, and whose newest report has a fault of this kind. */
export interface FaultCount {
  readonly version: string
  readonly kind: string
  readonly count: number
}

export interface KeyAge {
  /** The label or version that has the key, or what the key signs. */
  readonly id: string
  readonly createdAt: number
}

export interface KeystoreExpiry {
  readonly version: string
  readonly expiresAt: number
}

/** A rollout that runs or is paused. */
export interface RolloutProgress {
  readonly version: string
  /** The share of its devices that its stage reaches, from 0 to 1. */
  readonly share: number
  /** The ratio of its test when it was counted last; undefined: not yet. */
  readonly ratio: number | undefined
}

/** Why a device that waited for news was answered, or sent away at once. */
export const waitEnds = [
  ...(['news', 'time', 'replaced', 'gone', 'stopping', 'full', 'not-offered'] as const),
]
export type WaitEnd = (typeof waitEnds)[number]

/** Why the database cannot be used. */
export const storageFaultKinds = ['full', 'read-only', 'damaged', 'busy', 'unreachable'] as const
export type StorageFaultKind = (typeof storageFaultKinds)[number]

/** What there is, for the metrics. */
export interface Inventory {
  readonly countedAt: number
  readonly devices: readonly DeviceCount[]
  readonly faults: readonly FaultCount[]
  readonly keys: Readonly<
    Record<
      'label' | 'installation' | 'signing',
      { readonly count: number; readonly oldest: readonly KeyAge[] }
    >
  >
  readonly keystores: readonly KeystoreExpiry[]
  readonly rollouts: {
    readonly counts: Readonly<Record<'running' | 'paused' | 'halted', number>>
    /** Those that run or are paused: no more than may run. */
    readonly open: readonly RolloutProgress[]
  }
}

export interface Metrics {
  observe(request: { method: string; route: string; status: number; seconds: number }): void
  /** Counts a registration that was refused with this problem. */
  countRefusal(reason: ProblemName): void
  /** Counts a rollout that the service has halted. */
  countHalt(): void
  countWait(end: WaitEnd): void
  /** The time of a statement or a batch, with its wait for others. */
  observeDatabase(seconds: number): void
  /** Counts a statement or a batch that failed for this reason. */
  countStorageFault(kind: StorageFaultKind): void
  /** Counts a request to a webhook. */
  countWebhookDelivery(outcome: 'delivered' | 'failed'): void
  /** How many devices wait at this node now. */
  showWaits(devices: number): void
  /** The measurements in the Prometheus text format, and its content type; `inventory`: undefined when it cannot be read. */
  render(
    inventory: Inventory | undefined,
  ): Promise<{ readonly contentType: string; readonly text: string }>
}
