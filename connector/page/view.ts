/** What the local page shows, and what it sends: the shapes that it shares with the command that serves it. */
import type { FindingCode } from '../src/languages/finding-codes.ts'

/** Everything on the page but the findings; sent again whenever something of it has changed. */
export interface View {
  /** Of the program that serves the page. */
  readonly version: string
  readonly connector: 'running' | 'starting' | 'stopped' | 'unresponsive'
  readonly cardService: 'up' | 'down'
  readonly readers: readonly ReaderView[]
  /** The newest of each origin that has one; absent: they cannot be read. */
  readonly consents?: readonly ConsentView[]
  readonly service: ServiceView
  readonly update: UpdateView
}

export interface ReaderView {
  readonly id: string
  readonly name: string
  readonly pinpad: boolean
  /** The card in it: its kind in words, as far as it is known. */
  readonly card?: { readonly atr: string; readonly description: string }
}

/** Times in milliseconds since 1970, UTC. */
export interface ConsentView {
  readonly origin: string
  readonly issuedAt: number
  readonly expiresAt: number
  readonly usedAt: number
  /** Kinds of cards of which its pages may read who the holder is. */
  readonly identity: readonly string[]
  /** Paths of the folders whose files they may read and write. */
  readonly folders: readonly string[]
  /** The same, of those that an administrator has given: only an administrator takes one back. */
  readonly managedFolders: readonly string[]
}

/** The distribution service of this connector. */
export interface ServiceView {
  readonly address: FieldView
  /** Its value is never shown. */
  readonly installationKey: FieldView
  readonly device?: string
  /** Milliseconds since 1970, UTC. */
  readonly lastGood?: number
}

export interface FieldView {
  /** Empty: not set, or a secret. */
  readonly value: string
  readonly isSet: boolean
  /** Where it is written when the page cannot change it: by an administrator, in the environment. */
  readonly fixedBy?: 'administrator' | 'environment'
}

export interface UpdateView {
  readonly state: 'unmanaged' | 'unknown' | 'current' | 'recommended' | 'required' | 'forbidden'
  readonly offer?: { readonly version: string; readonly url: string }
  /** The administrator installs it, by other means. */
  readonly isMuted?: boolean
}

/** A finding of the doctor. */
export interface FindingView {
  readonly level: 'good' | 'note' | 'bad'
  readonly code: FindingCode
  /** In English, for those who help. */
  readonly what: string
  readonly remedy?: string
}

/** What the form sends. */
export interface ServiceForm {
  readonly address: string
  readonly installationKey: string
}

/** What is wrong with a field of the form, by its name; empty: it is saved. */
export type FormFaults = Readonly<Partial<Record<keyof ServiceForm, FormFault>>>
/** `unreachable`: no service answers there; `refused`, `used-up`: what the service says about the key. */
export type FormFault = 'missing' | 'invalid' | 'unreachable' | 'refused' | 'used-up'

export interface SaveResult {
  readonly faults: FormFaults
  /** Why nothing was saved although the fields are right. */
  readonly failure?: string
}

export interface UpdateResult {
  readonly isInstalled: boolean
  /** What `cardwire update` printed. */
  readonly output: string
}
