/** How the user is asked for a folder whose files a page may read and write: the request, and the answer. */
import type { ProblemName } from '@cardwire/protocol/problem'

export interface FolderRequest {
  /** The origin of the page, serialized. */
  readonly origin: string
  /** Where the window begins, below the folder of the user. */
  readonly start: readonly string[]
  /** What the page asks for; kept within the bounds of dialogs. */
  readonly timeoutMs: number
  /** Withdraws the request: the page or the consent has gone. */
  readonly signal: AbortSignal
}

/** Why there is no folder, as the problem that the page gets. */
export interface FolderRefusal {
  readonly problem: Extract<ProblemName, 'file-type-refused' | 'pin-busy' | 'dialog-unavailable'>
  /** A sentence for the page. */
  readonly reason: string
  /** Seconds until the user can be asked again. */
  readonly retryAfterS?: number
}

/** `path` is absolute and without links. */
export type AskForFolder = (
  request: FolderRequest,
) => Promise<{ readonly path: string } | FolderRefusal>
