/** Hooks for where the page is on its way to the readers. */
import { type ConnectionState, startingState } from '@cardwire/client/connection'
import { type ConnectionText, describeConnection } from '@cardwire/client/describe'
import { useSyncExternalStore } from 'react'
import { useShared } from './context.ts'

/** The state of the connection. On a server it is `starting`. */
export function useConnection(): ConnectionState {
  const { connection } = useShared()
  return useSyncExternalStore(connection.subscribe, connection.getState, () => startingState)
}

/** The title, the text, the button and the link for the state of the connection, in the user's language. */
export function useConnectionText(): ConnectionText {
  const { language } = useShared()
  return describeConnection(useConnection(), { language })
}
