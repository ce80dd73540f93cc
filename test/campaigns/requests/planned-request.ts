/** A request as the seed makes it, before the state of the program (ids, tokens) is put into it. */
import type { Operation } from '@cardwire/protocol'

export type Header = readonly [name: string, value: string]

/** `limited`: rate limits are on for it. `bodies`: only its body is hostile. */
export const groups = ['valid', 'near-valid', 'hostile', 'limited', 'bodies'] as const
export type Group = (typeof groups)[number]

/** What the caller shows. Only `right` may change or read what is guarded. */
export const wrongCredentials = [
  'missing',
  'empty',
  'undefined',
  'garbage',
  'tampered',
  'unsigned',
  'other',
  'twice',
] as const
export type Credential = 'right' | (typeof wrongCredentials)[number]

/** How the bytes are sent; each is described in framing.ts. */
export type Frame =
  | 'whole'
  | 'chunked'
  | 'in-pieces'
  | 'pipelined'
  | 'half-closed'
  | 'one-time'
  /** The end never comes: the program has to give up. */
  | 'unfinished-header'
  | 'unfinished-body'
  | 'unfinished-chunks'
  /** The end never comes, and the client goes. */
  | 'cut-off'

export interface PlannedRequest {
  readonly number: number
  readonly group: Group
  /** What is wrong with it, or `valid`. */
  readonly kind: string
  /** The operation that it is for; undefined: none that the contract has. */
  readonly operation: Operation | undefined
  readonly method: string
  /** Path and query as they are sent; `{{…}}` stands for what only the running program knows. */
  readonly path: string
  readonly headers: readonly Header[]
  readonly body: string | Uint8Array | undefined
  readonly credential: Credential
  /** Which of the things of its kind it is about. */
  readonly slot: number
  readonly frame: Frame
  /** Replaces the whole request: bytes as they are sent, with the `{{…}}` of `path`. */
  readonly raw?: string | Uint8Array
  /** The address that a proxy in front would name. */
  readonly address: string
}
