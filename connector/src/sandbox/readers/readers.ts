/** The port of the readers of this machine; `sandbox-supervisor.ts` implements it. */

export interface Reader {
  /** 16 hex digits, made from the name; no two readers share them. */
  readonly id: string
  readonly name: string
  readonly pinpad: boolean
  /** The answer to reset, upper-case hex without spaces. */
  readonly card?: {
    readonly atr: string
    /** The modules that handle it, best first; absent: nobody has looked. */
    readonly modules?: readonly string[]
  }
}

export type PcscState =
  | { readonly kind: 'up' }
  /** `code` is a name of PC/SC such as SCARD_E_NO_SERVICE, or one of ours that begins with SANDBOX_ or LIBRARY_. */
  | { readonly kind: 'down'; readonly code: string; readonly reason: string }

export interface Snapshot {
  /** Grows by one with each change. */
  readonly sequence: number
  readonly pcsc: PcscState
  /** Empty while PC/SC is down. */
  readonly readers: readonly Reader[]
}

export interface Readers {
  /** The latest snapshot. Right after a sandbox ended it is from its last report; `ready` waits for the next one. */
  snapshot(): Snapshot
  /** Resolves when the running sandbox has reported, or none can be started; at the latest after `timeoutMs`. */
  ready(timeoutMs: number): Promise<void>
  /** Called at each change; the result ends the subscription. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void
  /** 0 while none runs. */
  readonly sandboxPid: () => number
  stop(): Promise<void>
}
