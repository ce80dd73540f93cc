/** What a page decides about its connection. */
import type { CallOptions } from './core-service.ts'
import type { PermissionPromptOptions } from './permission-prompt.ts'

/** What a page decides about its connection, in addition to the configuration. */
export interface InitializeOptions extends CallOptions, PermissionPromptOptions {
  /** Fetches another token from the back end when the connector rejects the current one. The library then repeats the call. */
  readonly onTokenExpired?: (() => Promise<string>) | undefined
}
