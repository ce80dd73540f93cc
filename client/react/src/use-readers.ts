/** A hook for the readers of the user in front of the page. */
import type { Reader } from '@cardwire/client'
import type { ConnectionState } from '@cardwire/client/connection'
import { useConnection } from './use-connection.ts'

/** What there is of readers. */
export type ReadersState =
  /** The page cannot use readers yet: `<Connect>` shows why. */
  | {
      readonly status: 'connecting'
      readonly connection: Exclude<ConnectionState, { status: 'ready' }>
    }
  /** The computer's smart card service isn't running. */
  | { readonly status: 'card-service-down'; readonly reason: string | undefined }
  /** The readers; none if the list is empty. */
  | {
      readonly status: 'ready'
      readonly readers: readonly Reader[]
      /** Whether the list may be out of date, because the connector gives no sign of life. */
      readonly stale: boolean
    }

/** The readers, kept up to date while the component is shown. */
export function useReaders(): ReadersState {
  const connection = useConnection()
  if (connection.status !== 'ready') return { status: 'connecting', connection }
  const { readers, cardService, stale } = connection
  if (cardService?.state === 'down')
    return { status: 'card-service-down', reason: cardService.reason }
  return { status: 'ready', readers, stale }
}
