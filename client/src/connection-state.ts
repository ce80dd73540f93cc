/** Where a page is on its way to the readers: one union, whose members have what the page shows and does there. */
import type { Copied } from './code-word.ts'
import type { CardwireClient } from './core-service.ts'
import type { CardwireError } from './error.ts'
import type { CardService, Reader } from './reader.ts'

/** What there is to show. `status` says which members a state has; `describeConnection` has the sentences for each. */
export type ConnectionState =
  /** The connection looks for the connector. */
  | { readonly status: 'starting' }
  /** The browser has to ask the user. Call `connect` from a click. */
  | {
      readonly status: 'permission-needed'
      readonly error: CardwireError
      readonly connect: () => void
    }
  /** The browser's prompt is open. */
  | { readonly status: 'permission-pending' }
  /** Nothing responds. The connection looks again by itself. */
  | {
      readonly status: 'not-running'
      readonly error: CardwireError
      /** Where the user gets the installer; undefined if the configuration has no `dsUrl`. */
      readonly installerUrl: string | undefined
      readonly retry: () => void
    }
  /** A connector accepts requests, and doesn't reply. The connection looks again by itself. */
  | {
      readonly status: 'not-responding'
      readonly error: CardwireError
      readonly retry: () => void
    }
  /** `getToken` rejected, or took too long: `error.cause` says why. The connection tries again by itself. */
  | {
      readonly status: 'token-unavailable'
      readonly error: CardwireError
      readonly retry: () => void
    }
  /** The user has to allow the site. Call `copyAndAllow` from a click. */
  | {
      readonly status: 'consent-required'
      readonly error: CardwireError
      /** Show it, so that the user can copy it if the browser doesn't let the page. */
      readonly codeWord: string
      /** Set when the page could not copy: ask the user to copy the code, and to click again. */
      readonly copied: Copied | undefined
      /** How many codes in a row were not found. */
      readonly codesNotFound: number
      /** Copies the code, and asks the connector for consent with it. */
      readonly copyAndAllow: () => Promise<Copied>
    }
  /** The connector looks for the code. */
  | { readonly status: 'consent-pending'; readonly codeWord: string; readonly copied: Copied }
  /** The site can use the readers. */
  | {
      readonly status: 'ready'
      readonly client: CardwireClient
      readonly readers: readonly Reader[]
      /** Whether the computer's smart card service works. Undefined if the connector doesn't report it. */
      readonly cardService: CardService | undefined
      /** Whether the connector gives no sign of life, so that `readers` may be out of date. */
      readonly stale: boolean
    }
  /** Everything else. */
  | { readonly status: 'failed'; readonly error: CardwireError; readonly retry: () => void }

/** The state with this status. */
export type StateOf<Status extends ConnectionState['status']> = Extract<
  ConnectionState,
  { readonly status: Status }
>

/** The first state, also on a server. */
export const startingState: ConnectionState = { status: 'starting' }
