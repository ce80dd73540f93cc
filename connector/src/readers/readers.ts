/** The readers of this machine as the API knows them: the port, and where its one implementation is. */

export interface Reader {
  /** 16 hex digits, made from the name; no two readers share them. */
  readonly id: string
  readonly name: string
  readonly pinpad: boolean
  /** The answer to reset, upper-case hex without spaces. */
  readonly card?: { readonly atr: string }
}

export type PcscState =
  | { readonly kind: 'up' }
  /** `code` is a name of PC/SC such as SCARD_E_NO_SERVICE, or one of ours that begins with SANDBOX_ or LIBRARY_. */
  | { readonly kind: 'down'; readonly code: string; readonly reason: string }

export interface Snapshot {
  /** Grows by one with each change. */
  readonly sequence: number
  readonly pcsc: PcscState
  /** None while PC/SC is down. */
  readonly readers: readonly Reader[]
}

export interface Readers {
  /** The last that is known. Right after a sandbox died that is what it said; `ready` waits for the next one's word. */
  snapshot(): Snapshot
  /** Resolves when the present sandbox has said what it sees, or cannot be started, at the latest after `timeoutMs`. */
  ready(timeoutMs: number): Promise<void>
  /** Called at each change; the answer ends it. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void
  /** 0 while there is none. */
  readonly sandboxPid: () => number
  stop(): Promise<void>
}

export { superviseReaders } from './supervise.ts'
